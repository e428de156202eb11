// Where a program of the visitor's own joins the run as a guest, and why the last one could not.

import { html, nothing } from '../../lit.js';
import { askRoom, Refused } from '../../source/api.js';
import { parts, t } from '../../text/language.js';

/** The server is asked again after so long, in milliseconds, as long as that is looked at. */
const AGAIN = 5000;
/** How long it is said that the address has been copied, in milliseconds. */
const SAID = 2000;

export class Guests {
  /** @type {() => void} */ #changed;
  /** @type {import('../../types.d.ts').Room['guests']} */ #port;
  #asked = -Infinity;
  /** @type {{ text: string, words: string }} what was copied, and what is said of it */ #copied = { text: '', words: '' };

  /** @param {() => void} changed */
  constructor(changed) {
    this.#changed = changed;
  }

  /** @param {number} here performance.now() */
  view(here) {
    if (here - this.#asked >= AGAIN) void this.#ask(here);
    if (!this.#port) return nothing;
    const { lock, refused } = this.#port;
    const line = `zkCli.sh -server ${this.#address}`;
    return html`<div class="console-guests">
      <p class="hint">${parts`A program of your own joins at ${html`<code>${this.#address}</code>`} as a client, with any ZooKeeper library.`}</p>
      ${this.#button(this.#address, t`Copy the address`)}
      <p class="hint">${parts`Or by hand, with ${html`<code>${line}</code>`}${lock ? parts`; the lock is ${html`<code>${lock}</code>`} there` : ''}.`}</p>
      ${this.#button(line, t`Copy the line`)}
      ${refused ? html`<p class="refused" role="status">${t`The last one was turned away: ${refused}.`}</p>` : nothing}
    </div>`;
  }

  /** @param {number} here performance.now() */
  async #ask(here) {
    this.#asked = here;
    const room = await askRoom().catch(noAnswer);
    if (room) this.#port = room.guests;
    if (room && !room.guests) this.#asked = Infinity; // it takes none
    else setTimeout(this.#changed, AGAIN);
    this.#changed();
  }

  /** One that listens at all addresses is reached at that of the page. */
  get #address() {
    return this.#port?.address.replace(/^(0\.0\.0\.0|\[::\])(?=:\d+$)/, location.hostname) ?? '';
  }

  /** One that copies a text. @param {string} text @param {string} words */
  #button(text, words) {
    return html`<button type="button" class="tool" @click=${() => this.#copy(text)}>${this.#copied.text === text ? this.#copied.words : words}</button>`;
  }

  /** @param {string} text */
  async #copy(text) {
    const copied = await navigator.clipboard?.writeText(text).then(() => true, () => false);
    this.#copied = { text, words: copied ? t`Copied` : t`The browser refused` };
    this.#changed();
    setTimeout(() => {
      this.#copied = { text: '', words: '' };
      this.#changed();
    }, SAID);
  }
}

/** What it said before stands. @param {unknown} failure */
function noAnswer(failure) {
  if (!(failure instanceof Refused)) throw failure;
  return undefined;
}
