// The account that the lock protects, beside the lock: what is in it, who wrote
// last, what was refused, and whether a write was lost.

import { plural } from '../text/format.js';
import { html, nothing } from '../lit.js';
import { newest } from '../model/account.js';

/** @import { Account, Write } from '../model/account.js' */

/** How many of the last writes are shown. */
const SHOWN = 3;

const kinds = /** @type {Record<string, string>} */ ({
  unfenced: 'takes every write',
  token: 'checks the token',
  guard: 'checks the znode',
});

/** @param {Account} account */
export function accountView(account) {
  if (!account.used) return nothing;
  return html`<section class="account ${account.corrupted ? 'corrupted' : ''}">
    <h3>Account <span>${kinds[account.kind] ?? ''}</span></h3>
    <p class="balance">${account.balance}</p>
    <ol class="writes">${newest(account, SHOWN).map((write) => writeView(write, account.kind !== 'unfenced'))}</ol>
    <p class="verdict">${verdict(account)}</p>
  </section>`;
}

/** @param {Account} account */
function verdict({ corrupted, lost, refused }) {
  if (corrupted) {
    return html`<strong>Corrupted:</strong> client ${corrupted.client} wrote ${corrupted.balance} from ${corrupted.read};
      the balance was ${corrupted.over} by then${lost > 1 ? ` (${lost} such writes)` : ''}`;
  }
  return refused ? `Sound: ${plural(refused, 'stale write')} refused` : 'Sound: every write followed from the balance before it';
}

/** @param {Write} write @param {boolean} fenced its token matters */
function writeView({ client, accepted, stale, read, balance, token, over, why }, fenced) {
  const text = html`client ${client}${fenced && token ? `, token ${token}` : ''}: ${read} → ${accepted ? balance : '?'}`;
  if (!accepted) return html`<li class="refused" title=${why}><s>${text}</s> refused</li>`;
  return html`<li class=${stale ? 'stale' : ''}>${text}${stale ? `, over ${over}` : ''}</li>`;
}
