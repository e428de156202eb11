// The account that the lock protects, in the head of its lane: what is in it, what
// is lost, who wrote last, and, as a stamp, the write that came too late.

import { lateSentence, lossSentence, refusalReason, soundSentence } from '../text/account.js';
import { html, keyed, nothing } from '../lit.js';
import { lossOf } from '../model/account.js';

/** @import { Account, Write } from '../model/account.js' */

const kinds = /** @type {Record<string, string>} */ ({
  unfenced: 'takes every write',
  token: 'checks the token',
  guard: 'checks the znode',
});

/** @param {Account} account @param {unknown} mark what stands beside its name */
export function accountView(account, mark) {
  const loss = lossOf(account);
  return html`<section class="account ${loss.lost ? 'corrupted' : ''}">
    <div class="account-head"><h3>Account <span>${kinds[account.kind] ?? ''}</span></h3>${mark}</div>
    <p class="balance">${account.now.amount}</p>
    <p class="verdict"><span aria-hidden="true">${loss.lost ? '✗' : account.accepted ? '✓' : ''}</span>
      ${loss.lost ? lossSentence(loss) : soundSentence(account)}</p>
    <div class="newest">
      <ol class="writes">${account.writes.toReversed().map((write) => writeView(write, account.kind !== 'unfenced'))}</ol>
      <div class="late-write">${account.late ? keyed(account.late.at, stampView(account.late, account.refused)) : nothing}</div>
    </div>
  </section>`;
}

/** @param {Write} write @param {number} refused */
function stampView(write, refused) {
  if (write.accepted) return html`<p class="stamp taken"><strong>Late write taken</strong> ${lateSentence(write)}</p>`;
  return html`<p class="stamp refused"><strong>Refused</strong> ${lateSentence(write)}${refused > 1 ? ` (${refused} in all)` : ''}</p>
    <p class="reason">${refusalReason(write)}</p>`;
}

/** @param {Write} write @param {boolean} fenced its token matters */
function writeView({ client, accepted, stale, read, balance, token, over }, fenced) {
  const who = `client ${client}${fenced && token ? `, token ${token}` : ''}`;
  if (!accepted) return html`<li class="refused">${who}: refused</li>`;
  return html`<li class=${stale ? 'stale' : ''}>${who}: ${read} → ${balance}${stale ? `, over ${over}` : ''}</li>`;
}
