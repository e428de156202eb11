// What stands in a console, which follows its end: until the visitor scrolls up, and
// again once it is back there. An answer that is longer than it stays at its beginning.
// What the layout does to its size is no scrolling.

import { html, nothing } from '../../lit.js';
import { t } from '../../text/language.js';

/** @import { Entry } from './transcript.js' */

/** How each sort of text is marked, and named to who does not see that. @type {Record<Entry['kind'], { mark: string, name: string }>} */
const kinds = {
  line: { mark: '', name: '' },
  out: { mark: '', name: '' },
  err: { mark: '✗', name: t`Error: ` },
  watch: { mark: '◆', name: t`Watch: ` },
  note: { mark: '–', name: '' },
  rule: { mark: '', name: '' },
};

/** So near to the end is at the end, in pixels. */
const NEAR = 8;

export class LogView {
  #follows = true;
  /** @type {Element | null} */ #log = null;
  /** Its sizes when it was last drawn. */ #sizes = '';
  /** @type {Entry[]} */ #entries = [];
  /** The number of the first entry that has not been in sight. */ #unseen = 0;
  #sized = new ResizeObserver(() => this.follow(this.#log));

  /** @param {Entry[]} entries */
  view(entries) {
    this.#entries = entries;
    return html`<div class="console-log" tabindex="0" role="region" aria-label=${t`What stands in the console`} @scroll=${() => this.#scrolled()}>${entries.map(entryView)}</div>`;
  }

  /** From here on it follows its end. */
  toEnd() {
    this.#follows = true;
  }

  /** It has been drawn: its newest line comes into sight, unless the visitor looks at others. @param {Element | null} log */
  follow(log) {
    if (log !== this.#log) {
      this.#sized.disconnect();
      if (log) this.#sized.observe(log);
    }
    this.#log = log;
    if (!log) return;
    this.#sizes = sizesOf(log);
    const long = this.#longAnswer(log);
    this.#unseen = (this.#entries.at(-1)?.key ?? -1) + 1;
    if (!this.#follows) return;
    log.scrollTop = long?.offsetTop ?? log.scrollHeight;
    this.#follows = !long;
  }

  /** Where a new answer begins that has no room, with the line that it answers. @param {Element} log */
  #longAnswer(log) {
    const at = this.#entries.findIndex(({ key, kind }, index) => key >= this.#unseen && kind === 'out' && (log.children[index]?.clientHeight ?? 0) > log.clientHeight);
    const begin = this.#entries[at - 1]?.kind === 'line' ? at - 1 : at;
    return /** @type {HTMLElement | undefined} */ (log.children[begin]);
  }

  /** Only who scrolls while nothing else changes means it. */
  #scrolled() {
    const log = this.#log;
    if (log && sizesOf(log) === this.#sizes) this.#follows = log.scrollHeight - log.scrollTop - log.clientHeight < NEAR;
  }
}

/** @param {Element} log */
const sizesOf = ({ clientHeight, scrollHeight }) => `${clientHeight} ${scrollHeight}`;

/** @param {Entry} entry */
const entryView = ({ kind, text, prompt }) => html`<p class="entry-${kind}"><span class="mark" aria-hidden="true">${kinds[kind].mark}</span><span><span class="unseen">${
  kinds[kind].name}</span>${prompt ? html`<span class="prompt">${prompt}</span>` : nothing}${text}</span></p>`;
