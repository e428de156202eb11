// The account that the lock protects, in the head of its lane: what is in it, what
// is lost, who wrote last, and, as a stamp, the write that came too late.

import { lateSentence, lossSentence, soundSentence } from '../../text/account.js';
import { html, keyed, nothing } from '../../lit.js';
import { lossOf } from '../../model/account.js';
import { t } from '../../text/language.js';
import { reasonWords } from '../../text/reasons.js';

/** @import { Account, Write } from '../../model/account.js' */

const kinds = /** @type {Record<string, string>} */ ({
  unfenced: t`takes every write`,
  token: t`checks the token`,
  guard: t`checks the znode`,
});

/** @param {Account} account @param {unknown} mark what stands beside its name */
export function accountView(account, mark) {
  const loss = lossOf(account);
  return html`<section class="account ${loss.lost ? 'corrupted' : ''}">
    <div class="account-head"><h3>${t`Account`} <span>${kinds[account.kind] ?? ''}</span></h3>${mark}</div>
    <p class="balance">${account.amount}</p>
    <p class="verdict"><span aria-hidden="true">${loss.lost ? '✗' : account.accepted ? '✓' : ''}</span>
      ${loss.lost ? lossSentence(loss) : soundSentence(account)}</p>
    <div class="newest">
      ${account.underWay.map(({ client, read = 0, balance = 0 }) => html`<p class="under-way">${t`Under way: client ${client}, ${read} → ${balance}`}</p>`)}
      <ol class="writes">${account.writes.toReversed().map((write) => writeView(write, account.kind !== 'unfenced'))}</ol>
      <div class="late-write">${account.late ? keyed(account.late.at, stampView(account.late, account.refused)) : nothing}</div>
    </div>
  </section>`;
}

/** @param {Write} write @param {number} refused */
function stampView(write, refused) {
  if (write.accepted) return html`<p class="stamp taken"><strong>${t`Late write taken`}</strong> ${lateSentence(write)}</p>`;
  return html`<p class="stamp refused"><strong>${t`Refused`}</strong> ${lateSentence(write)}${refused > 1 ? t` (${refused} in all)` : ''}</p>
    <p class="reason">${reasonWords(write.reason)}</p>`;
}

/** @param {Write} write @param {boolean} fenced its token matters */
function writeView({ client, accepted, stale, read, balance, token, over }, fenced) {
  const who = fenced && token ? t`client ${client}, token ${token}` : t`client ${client}`;
  if (!accepted) return html`<li class="refused">${t`${who}: refused`}</li>`;
  return html`<li class=${stale ? 'stale' : ''}>${who}: ${read} → ${balance}${stale ? t`, over ${over}` : ''}</li>`;
}
