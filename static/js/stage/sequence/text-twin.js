// The diagram's window as a table of sentences, for who cannot or will not look
// at the picture. It is made when it is opened, and never longer than is read.

import { html, nothing } from '../../lit.js';
import { grouped, t } from '../../text/language.js';
import { when } from './words.js';

/** @import { Item } from '../../model/sequence/items.js' */

const MOST = 200;

/**
 * @param {Item[]} items of the window, in order
 * @param {string} caption
 * @param {(item: Item) => string} describe
 * @param {(item: Item) => void} select
 */
export function textTwin(items, caption, describe, select) {
  const told = items.filter((item) => item.type !== 'frame' || item.role !== 'ping');
  return html`<div class="sequence-words" role="region" aria-label=${t`The window of the sequence diagram in words`} tabindex="0">
    <table class="data-table"><caption>${caption}</caption>
      <thead><tr><th scope="col">${t`Begins`}</th><th scope="col">${t`What`}</th></tr></thead>
      <tbody>${told.slice(0, MOST).map((item) => html`<tr><td>${when(item)}</td>
        <td><button type="button" class="sequence-item" @click=${() => select(item)}>${describe(item)}</button></td></tr>`)}</tbody>
    </table>
    ${told.length > MOST ? html`<p>${t`and ${grouped(told.length - MOST)} more: show less time to read them`}</p>` : nothing}
    ${told.length ? nothing : html`<p>${t`Nothing happens in this window.`}</p>`}
  </div>`;
}
