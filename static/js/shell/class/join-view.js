// A class, as its teacher sees it: how to join, who is there, who drives.

import { changeClass, closeClass, place, qrAddress } from '../api.js';
import { language, parts, t } from '../../text/language.js';
import { html, nothing, render } from '../../lit.js';
import { keep, remember } from '../theme.js';

/** @import { App } from '../app.js' */
/** @import { Class } from '../../types.d.ts' */
/** @import { GoalCounts } from './goal-counts.js' */

/** Under what name it is kept which address the phones are to use. */
const ADDRESS = 'class-address';

/** What the sight of too many late ones asks for. */
const LATE = t`What they see is more than two seconds old: their connection or their device is slow. Wait a moment before you go on. If they stay behind, fewer clients or a longer delay make less to send.`;

/** @param {number} lagging */
const lateWords = (lagging) => t`${lagging} lags behind|${lagging} lag behind`;

/** The words of the button that opens it. @param {Class} own */
export const hereView = ({ here, lagging = 0 }) => html`<span class=${lagging ? 'spare' : ''}>${t`Class: `}</span>${t`${here} here`}${lagging ? html`<span class="late" title=${LATE}>${t`, ${lateWords(lagging)}`}</span>` : nothing}…`;

export class JoinView {
  /** @type {App} */ #app;
  /** @type {HTMLDialogElement} */ #dialog;
  /** @type {GoalCounts} */ #goals;
  #address = remember(ADDRESS) ?? '';

  /** @param {App} app @param {GoalCounts} goals @param {HTMLDialogElement} dialog */
  constructor(app, goals, dialog) {
    this.#app = app;
    this.#goals = goals;
    this.#dialog = dialog;
  }

  /** The address that the phones are to use. */
  get address() {
    const addresses = this.#app.room?.class?.addresses ?? [];
    return addresses.includes(this.#address) ? this.#address : addresses[0] ?? '';
  }

  open() {
    this.draw();
    this.#dialog.showModal();
  }

  draw() {
    const { room } = this.#app;
    if (room?.class?.code) render(this.#view(room.class), this.#dialog);
  }

  /** @param {Class} own */
  #view({ code = '', addresses = [], members, here, lagging = 0, locked, driven, offered }) {
    const { address } = this;
    return html`
      <form method="dialog"><button class="tool close" aria-label=${t`Close`}>✕</button></form>
      <h2 id="class-title">${t`Join this class`}</h2>
      <div class="class-join">
        <img class="qr" src=${qrAddress(address)} width="220" height="220" alt=${t`QR code of ${`${address}/?code=${code}`}`}>
        <div>
          <p>${parts`Open ${html`<strong>${address.replace(/^https?:\/\//, '')}</strong>`} and enter`}</p>
          <p class="class-code">${code.slice(0, 3)} ${code.slice(3)}</p>
          <p>${[t`${members} member|${members} members`, t`${here} here now`, locked ? t`nobody new is let in` : ''].filter(Boolean).join(t`, `)}</p>
        </div>
      </div>
      <p class="hint" role="status">${lagging ? html`<strong class="late">${lateWords(lagging)}${t`.`}</strong> ${LATE}` : nothing}</p>
      <label class="field"><span>${t`Address that the phones can reach`}</span><select @change=${(/** @type {Event} */ e) => this.#choose(/** @type {HTMLSelectElement} */ (e.target).value)}>
        ${addresses.map((each) => html`<option .selected=${each === address}>${each}</option>`)}</select></label>
      ${addresses.length < 2 ? html`<p class="hint">${parts`Only this machine reaches it. For others, start the playground with ${html`<code>-addr 0.0.0.0:8080</code>`}.`}</p>` : nothing}
      <p class="class-tools">
        <button type="button" class="button" aria-pressed=${String(locked)} @click=${() => this.#change({ locked: !locked })}>${t`Let nobody new in`}</button>
        ${driven ? html`<button type="button" class="button" @click=${() => this.#change({ seat: 'free' })}>${t`Take the run back`}</button>`
          : html`<button type="button" class="button" aria-pressed=${String(offered)} @click=${() => this.#change({ seat: offered ? 'keep' : 'offer' })}>${t`Hand the run to a student`}</button>`}
        <button type="button" class="button" @click=${() => this.#end()}>${t`End the class`}</button>
      </p>
      ${this.#goals.table()}
      <p><a href="${place.lobby}teacher/${language.code}?room=${place.room}" target="_blank">${t`What to say and what to click, for each lesson, and plans for 45 and 90 minutes`}</a></p>`;
  }

  /** @param {string} address */
  #choose(address) {
    this.#address = address;
    keep(ADDRESS, address);
    this.draw();
  }

  /** @param {Parameters<typeof changeClass>[0]} change */
  #change(change) {
    void this.#app.try(async () => {
      this.#app.enter(await changeClass(change));
      this.draw();
    });
  }

  #end() {
    void this.#app.try(async () => {
      await closeClass();
      location.assign(place.lobby);
    });
  }
}
