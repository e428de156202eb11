// The line over the lanes: what happened last, with buttons for what it tells of, and one
// to go on where the view has paused by itself. Another sentence is another element:
// nothing moves from where it was in the one before.

import { html, keyed, nothing, render } from '../lit.js';
import { ALWAYS_SAID } from '../model/caption-facts.js';
import { captionAt } from '../model/captions.js';
import { captionWords, textOf } from '../text/caption-words.js';
import { instant } from '../text/format.js';
import { t } from '../text/language.js';

/** @import { Link, Part, Told } from '../text/caption-words.js' */
/** @import { Shown, Subject } from '../play/shown.d.ts' */

/** Where the pointer can rest on something without pressing it. */
const hovers = matchMedia('(hover: hover)');

/**
 * @typedef {object} CaptionActions
 * @property {(subject: Subject) => void} inspect
 * @property {() => void} goOn from where the view has paused by itself
 * @property {() => void} left the button to go on is gone, and had the focus
 * @property {() => void} list shows all that happened
 */

export class CaptionView {
  /** @type {HTMLElement} */ #host;
  /** @type {CaptionActions} */ #actions;
  #run = '';
  /** Whether it has the button to go on. */ #paused = false;

  /** @param {HTMLElement} host @param {CaptionActions} actions */
  constructor(host, actions) {
    this.#host = host;
    this.#actions = actions;
  }

  /** @param {Shown} shown */
  draw({ run, view, at, mode, catalogue, pausedUntil }) {
    const id = run?.id ?? '';
    const paused = pausedUntil !== undefined;
    if (mode !== 'paused' && id === this.#run && paused === this.#paused && this.#inUse()) return;
    const wentOn = this.#paused && !paused;
    this.#run = id;
    this.#paused = paused;
    const shown = captionAt(view.captions, { at, still: mode === 'paused' });
    const told = shown ? captionWords(shown, view.lanes, catalogue) : { head: [t`Nothing has happened yet.`], rest: [] };
    this.#host.dataset['kind'] = shown?.kind ?? '';
    this.#host.classList.toggle('matters', shown !== undefined && shown.importance >= ALWAYS_SAID && shown.kind !== 'lock.acquired' && !shown.lanes[0]?.decisive && !/^(note|tree)\./.test(shown.kind));
    this.#host.classList.toggle('decisive', paused);
    this.#host.classList.toggle('violated', shown?.verdict === 'violated');
    const focused = this.#buttons().findIndex((each) => each === document.activeElement);
    render(html`<time>${shown ? instant(shown.at) : ''}</time>
      ${keyed(textOf([...told.head, ...told.rest]), html`<p>${toldView(told, this.#actions.inspect)}</p>`)}
      ${pausedUntil === undefined ? nothing : html`<button type="button" class="button primary go-on" title=${t`The view has paused here; the run goes on (K)`}
        @click=${this.#actions.goOn}>${t`Continue`} <span aria-hidden="true">(${t`${secondsTo(pausedUntil)} s`})</span></button>`}
      <button type="button" class="tool list" aria-label=${t`All that happened`} title=${t`All that happened, as a list`} @click=${this.#actions.list}>☰</button>`, this.#host);
    if (focused < 0 || document.activeElement !== document.body) return;
    if (wentOn) this.#actions.left();
    else this.#buttons()[focused]?.focus({ preventScroll: true });
  }

  /** @returns {HTMLElement[]} */
  #buttons() {
    return [...this.#host.querySelectorAll('button')];
  }

  /** Whether somebody is about to press one of its buttons, which must not go away then. */
  #inUse() {
    return this.#host.querySelector(hovers.matches ? 'button:is(:hover, :focus-visible)' : 'button:focus-visible') !== null;
  }
}

/** @param {number} until performance.now() */
const secondsTo = (until) => Math.max(0, Math.ceil((until - performance.now()) / 1000));

/** A caption with its links. @param {Told} told @param {(subject: Subject) => void} inspect */
export const toldView = ({ head, rest }, inspect) => html`<strong>${partsView(head, inspect)}</strong>${
  rest.length ? html`${t` `}<span>${partsView(rest, inspect)}</span>` : nothing}`;

/** A mark stays with the link that it follows: no line begins with it. @param {Part[]} parts @param {(subject: Subject) => void} inspect */
const partsView = (parts, inspect) => parts.map((part, index) => (typeof part === 'string' ? part.slice(typeof parts[index - 1] === 'object' ? marksOf(part).length : 0)
  : html`<span class="linked-part"><button type="button" class="text-link" aria-label=${part.label ?? nothing} @click=${() => inspect(subjectOf(part))}>${part.words}</button>${marksOf(parts[index + 1])}</span>`));

/** @param {Part | undefined} part */
const marksOf = (part) => (typeof part === 'string' ? /^[,.;:)，。；：、）]*/.exec(part)?.[0] ?? '' : '');

/** @param {Link} link @returns {Subject} */
const subjectOf = ({ lane, client, path, frame }) => ({ lane, client, path, ...(frame && { frame, dir: 'in' }) });
