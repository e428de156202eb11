// What the account has come to, as sentences.

import { clientNames } from './format.js';
import { t } from './language.js';

/** @import { Account, Loss, Write } from '../model/account.js' */

/** What is lost, as the check says it. @param {Loss} loss */
export const lossSentence = ({ should, is, lost, clients }) => t`should be ${should}, is ${is}: ${lost} of ${clientNames(clients)} lost`;

/** @param {Account} account in which nothing is lost */
export const soundSentence = ({ accepted }) =>
  (accepted ? t`nothing is lost: the one deposit is in it|nothing is lost: all ${accepted} deposits are in it` : t`nobody has deposited yet`);

/** Who came too late. @param {Write} write that was refused or stale */
export const lateSentence = ({ client, accepted, token, read, balance, over }) => {
  if (accepted) return t`client ${client} wrote ${balance} over ${over}: it had read ${read} before`;
  const who = token ? t`client ${client}, token ${token}` : t`client ${client}`;
  return read ? t`${who}, had read ${read}` : t`${who}, wanted to read`;
};
