// A class, as its teacher sees it: how to join, who is there, who drives.

import { changeClass, closeClass, place, qrAddress } from '../api.js';
import { plural } from '../../text/format.js';
import { html, nothing, render } from '../../lit.js';
import { keep, remember } from '../theme.js';

/** @import { App } from '../app.js' */
/** @import { Class } from '../../types.d.ts' */
/** @import { GoalCounts } from './goal-counts.js' */

/** Under what name it is kept which address the phones are to use. */
const ADDRESS = 'class-address';

/** What the sight of too many late ones asks for. */
const LATE = 'What they see is more than two seconds old: their connection or their device is slow. '
  + 'Wait a moment before you go on. If they stay behind, fewer clients or a longer delay make less to send.';

/** @param {number} lagging */
const lateWords = (lagging) => `${lagging} ${lagging === 1 ? 'lags' : 'lag'} behind`;

/** The words of the button that opens it. @param {Class} own */
export const hereView = ({ here, lagging = 0 }) => html`<span class=${lagging ? 'spare' : ''}>Class: </span>${here} here${lagging ? html`<span class="late" title=${LATE}>, ${lateWords(lagging)}</span>` : nothing}…`;

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
    const address = addresses.includes(this.#address) ? this.#address : addresses[0] ?? '';
    return html`
      <form method="dialog"><button class="tool close" aria-label="Close">✕</button></form>
      <h2 id="class-title">Join this class</h2>
      <div class="class-join">
        <img class="qr" src=${qrAddress(address)} width="220" height="220" alt="QR code of ${address}/?code=${code}">
        <div>
          <p>Open <strong>${address.replace(/^https?:\/\//, '')}</strong> and enter</p>
          <p class="class-code">${code.slice(0, 3)} ${code.slice(3)}</p>
          <p>${plural(members, 'member')}, ${here} here now${locked ? ', nobody new is let in' : ''}</p>
        </div>
      </div>
      <p class="hint" role="status">${lagging ? html`<strong class="late">${lateWords(lagging)}.</strong> ${LATE}` : nothing}</p>
      <label class="field"><span>Address that the phones can reach</span><select @change=${(/** @type {Event} */ e) => this.#choose(/** @type {HTMLSelectElement} */ (e.target).value)}>
        ${addresses.map((each) => html`<option .selected=${each === address}>${each}</option>`)}</select></label>
      ${addresses.length < 2 ? html`<p class="hint">Only this machine reaches it. For others, start the playground with <code>-addr 0.0.0.0:8080</code>.</p>` : nothing}
      <p class="class-tools">
        <button type="button" class="button" aria-pressed=${String(locked)} @click=${() => this.#change({ locked: !locked })}>Let nobody new in</button>
        ${driven ? html`<button type="button" class="button" @click=${() => this.#change({ seat: 'free' })}>Take the run back</button>`
          : html`<button type="button" class="button" aria-pressed=${String(offered)} @click=${() => this.#change({ seat: offered ? 'keep' : 'offer' })}>Hand the run to a student</button>`}
        <button type="button" class="button" @click=${() => this.#end()}>End the class</button>
      </p>
      ${this.#goals.table()}
      <p><a href="${place.lobby}teacher/en?room=${place.room}" target="_blank">What to say and what to click, for each lesson, and plans for 45 and 90 minutes</a></p>`;
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
