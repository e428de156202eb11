// A class, as its teacher sees it: how to join, who is there, who drives.

import { changeClass, closeClass, place, qrAddress, resultsAddress } from '../source/api.js';
import { language, parts, t } from '../text/language.js';
import { html, nothing } from '../lit.js';
import { keep, remember } from '../ui/theme.js';

/** @import { App } from '../shell/app.js' */
/** @import { Class } from '../types.d.ts' */
/** @import { GoalCounts } from './goal-counts.js' */

/** Under what name it is kept which address the phones are to use. */
const ADDRESS = 'class-address';

/** What the sight of too many late ones asks for. */
const LATE = t`What they see is more than two seconds old: their connection or their device is slow. Wait a moment before you go on. If they stay behind, fewer clients or a longer delay make less to send.`;

/** @param {number} lagging */
const lateWords = (lagging) => t`${lagging} lags behind|${lagging} lag behind`;

/** The words of the button that opens it. @param {Class} own */
export const hereView = ({ here, lagging = 0 }) => html`<span class=${lagging ? 'spare' : ''}>${t`Class: `}</span>${t`${here} here`}${lagging ? html`<span class="late" title=${LATE}>${t`, ${lateWords(lagging)}`}</span>` : nothing}…`;

/** The address that the teacher has chosen for the phones. */
let chosen = remember(ADDRESS) ?? '';

/** The address that the phones are to use. @param {string[]} addresses where this machine can be reached */
export const addressOf = (addresses) => (addresses.includes(chosen) ? chosen : addresses[0] ?? '');

/** Saves the votes and goals of the class. */
const saveView = () => html`<a class="button" href=${resultsAddress()} download>${t`Save the results`}</a>`;

export class JoinView {
  /** @type {App} */ #app;
  /** @type {GoalCounts} */ #goals;
  /** @type {() => void} */ #changed;
  /** It is asked whether to end the class. */ #ends = false;

  /** @param {App} app @param {GoalCounts} goals @param {() => void} changed called when there is something to draw */
  constructor(app, goals, changed) {
    this.#app = app;
    this.#goals = goals;
    this.#changed = changed;
  }

  /** The dialog has been closed: a question that was not answered is asked no more. */
  closed() {
    this.#ends = false;
  }

  /** @param {Class} own */
  view(own) {
    return this.#ends ? this.#endView(own) : this.#joinView(own);
  }

  /** What will be lost. @param {Class} own */
  #endView({ here, members }) {
    return html`
      <h2 id="class-title">${t`End the class?`}</h2>
      <p>${t`${here} of ${members} is here now.|${here} of ${members} are here now.`}</p>
      <p>${t`The room goes for good, with its run and the runs before, the votes, and the counts of goals met. What students have met stays in their own browsers, and their own rooms stay.`}</p>
      <p class="class-tools">
        ${saveView()}
        <button type="button" class="button" autofocus @click=${() => this.#ask(false)}>${t`Cancel`}</button>
        <button type="button" class="button danger" @click=${() => this.#end()}>${t`End the class`}</button>
      </p>`;
  }

  /** @param {Class} own */
  #joinView({ code = '', addresses = [], members, here, lagging = 0, locked, driven, offered }) {
    const address = addressOf(addresses);
    return html`
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
        <button type="button" class="button" @click=${() => this.#ask(true)}>${t`End the class…`}</button>
      </p>
      ${offered ? html`<p class="hint" role="status">${t`The run is on offer: the first student who takes it over drives it.`}</p>` : nothing}
      ${this.#goals.table()}
      <p class="class-tools">${saveView()}</p>
      <p><a href="${place.lobby}teacher/${language.code}?room=${place.room}" target="_blank">${t`What to say and what to click, plans, and sheets to print`}</a></p>`;
  }

  /** @param {string} address */
  #choose(address) {
    chosen = address;
    keep(ADDRESS, address);
    this.#changed();
  }

  /** @param {Parameters<typeof changeClass>[0]} change */
  #change(change) {
    void this.#app.try(async () => {
      this.#app.enter(await changeClass(change));
      this.#changed();
    });
  }

  /** Asks whether to end the class, or does not any more. @param {boolean} ends */
  #ask(ends) {
    this.#ends = ends;
    this.#changed();
    const dialog = document.getElementById('class');
    /** @type {HTMLElement | null | undefined} */ (dialog?.querySelector(ends ? '[autofocus]' : '.class-tools button:last-child'))?.focus();
  }

  #end() {
    void this.#app.try(async () => {
      await closeClass();
      location.assign(place.lobby);
    });
  }
}
