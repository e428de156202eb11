// What the account has come to, as sentences.

import { listed, t } from './language.js';
import { reasonWords } from './sentence.js';

/** @import { Account, Loss, Write } from '../model/account.js' */

/** The most clients that are named; more are counted. */
const MOST_NAMED = 4;

/**
 * Clients by name: client 2; clients 2, 3 and 5; 7 clients.
 * @param {number[]} clients
 */
export function clientNames(clients) {
  if (clients.length > MOST_NAMED) return t`${clients.length} client|${clients.length} clients`;
  return clients.length < 2 ? t`client ${clients.join('')}` : t`clients ${listed(clients)}`;
}

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

/** Why a write was refused. @param {Write} write */
export const refusalReason = ({ why }) => reasonWords(why, (english) => english.replace(/^stale: /, ''));
