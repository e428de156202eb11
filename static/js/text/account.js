// What the account has come to, as sentences.

import { plural } from './format.js';

/** @import { Account, Loss, Write } from '../model/account.js' */

/** The most clients that are named; more are counted. */
const MOST_NAMED = 4;

/**
 * Clients by name: client 2; clients 2, 3 and 5; 7 clients.
 * @param {number[]} clients
 */
export function clientNames(clients) {
  if (clients.length > MOST_NAMED) return plural(clients.length, 'client');
  if (clients.length < 2) return `client ${clients.join('')}`;
  return `clients ${clients.slice(0, -1).join(', ')} and ${clients.at(-1)}`;
}

/** What is lost, as the check says it. @param {Loss} loss */
export const lossSentence = ({ should, is, lost, clients }) => `should be ${should}, is ${is}: ${lost} of ${clientNames(clients)} lost`;

/** @param {Account} account in which nothing is lost */
export const soundSentence = ({ accepted }) =>
  (accepted ? `nothing is lost: ${accepted === 1 ? 'the one deposit is' : `all ${accepted} deposits are`} in it` : 'nobody has deposited yet');

/** Who came too late. @param {Write} write that was refused or stale */
export const lateSentence = ({ client, accepted, token, read, balance, over }) => {
  if (accepted) return `client ${client} wrote ${balance} over ${over}: it had read ${read} before`;
  return `client ${client}${token ? `, token ${token}` : ''}, ${read ? `had read ${read}` : 'wanted to read'}`;
};

/** Why a write was refused. @param {Write} write */
export const refusalReason = ({ why }) => why.replace(/^stale: /, '');
