// Says what happens to who does not see it, a line after the other: what matters in any
// case and in order, the rest when there is time for it and while it is new.

import { ALWAYS_SAID, DECISIVE, SAID } from '../model/caption-facts.js';
import { captionAt, TOGETHER } from '../model/captions.js';
import { captionWords, summed, textOf } from './caption-words.js';
import { t } from './language.js';

/** @import { Caption } from '../model/captions.js' */
/** @import { Shown } from '../play/shown.d.ts' */

/** What is worth saying and has not been said, and when that was known: performance.now(). @typedef {{ caption: Caption, known: number }} Waiting */
/** @typedef {Pick<Shown, 'run' | 'view' | 'at' | 'count' | 'mode' | 'sought' | 'catalogue'>} Heard */

/** The least time between two lines that need not be said, in milliseconds. */
export const CALM = 6000;
/** What need not be said is not said any more after this time of the run, in microseconds. */
const NEWS = 3_000_000;
/** How long a caption may still change, in microseconds of the run. */
const SETTLES = 200_000;
/** For how long a visitor who moves in time must rest before that instant is told, in milliseconds. */
const REST = 800;
/** When more wait than the first of these, they are told by their first sentences; more than the last, in sum. */
const [MANY, TOO_MANY] = [2, 6];

/** How long a line takes to be spoken, in milliseconds. @param {string} line */
const lengthOf = (line) => 300 + 45 * line.length;

export class Speaker {
  /** @type {(line: string) => void} */ #say;
  /** @type {Waiting[]} */ #waiting = [];
  /** The run that is told of. */ #run = '';
  /** The newest caption that was taken up: by its number. */ #taken = 0;
  /** The same where the visitor has gone back in time. */ #from = 0;
  /** Where the visitor stood, and since when: performance.now(). @type {{ count: number, since: number }} */
  #place = { count: 0, since: 0 };
  /** The visitor has gone to another instant, and that has not been told. */ #moved = false;
  /** When what is being said will be over, and whether what must be said may follow at once. */ #over = -Infinity;
  #interruptible = true;
  #calmSince = -Infinity;

  /** @param {(line: string) => void} say */
  constructor(say) {
    this.#say = say;
  }

  /**
   * Looks at an instant of the run, and says what is to be said now. Says whether
   * something is left to be said.
   * @param {Heard} instant
   * @param {number} here performance.now()
   */
  look(instant, here) {
    const { run, mode, count } = instant;
    if (run?.id !== this.#run) this.#begin(instant);
    else this.#follow(instant, here);
    this.#place = { count, since: count === this.#place.count ? this.#place.since : here };
    if (mode === 'paused' && this.#moved) return this.#rest(instant, here);
    this.#take(instant, here);
    this.#forget(instant);
    this.#speak(instant, here);
    return this.#waiting.length > 0;
  }

  /** A run that the visitor has not heard of: what it shows now is said, and what comes. @param {Heard} instant */
  #begin({ run, view, at, mode, sought }) {
    this.#run = run?.id ?? '';
    this.#taken = this.#from = view.captions.newest.at(-1)?.seq ?? 0;
    const shown = captionAt(view.captions, { at, still: mode === 'paused' });
    this.#moved = sought;
    this.#waiting = shown && !this.#moved ? [{ caption: shown, known: -Infinity }] : [];
  }

  /** Notes whether the visitor has gone to another instant. @param {Heard} instant @param {number} here */
  #follow({ mode, sought, count, view }, here) {
    if ((sought && count !== this.#place.count) || count < this.#place.count) {
      this.#moved = true;
      this.#waiting = [];
      this.#place.since = here;
    }
    if (!this.#moved || mode === 'paused') return;
    this.#moved = false;
    this.#from = view.captions.newest.at(-1)?.seq ?? 0;
  }

  /** Tells an instant that the visitor has gone to, once there is a rest. @param {Heard} instant @param {number} here */
  #rest(instant, here) {
    if (here - this.#place.since < REST) return true;
    this.#moved = false;
    this.#from = instant.view.captions.newest.at(-1)?.seq ?? 0;
    const shown = captionAt(instant.view.captions, { at: instant.at, still: true });
    if (shown) this.#utter([shown], instant, here);
    return false;
  }

  /** Takes up what is new; who is back at the present does not hear again what was there before. @param {Heard} instant @param {number} here */
  #take({ view, mode }, here) {
    const { newest } = view.captions;
    const from = mode === 'live' ? this.#taken : this.#from;
    for (const each of this.#waiting) each.caption = newest.find(({ seq }) => seq === each.caption.seq) ?? each.caption;
    for (const caption of newest) if (caption.seq > from && caption.importance >= SAID) this.#waiting.push({ caption, known: here });
    this.#from = newest.at(-1)?.seq ?? 0;
    this.#taken = Math.max(this.#taken, this.#from);
  }

  /** Drops what need not be said and is old, or followed by another. @param {Heard} instant */
  #forget({ at, view }) {
    const last = view.finished ? undefined : this.#waiting.findLast(({ caption }) => !must(caption));
    this.#waiting = this.#waiting.filter((each) => must(each.caption) || (each === last && at - each.caption.at < NEWS));
  }

  /** @param {Heard} instant @param {number} here */
  #speak(instant, here) {
    const settled = this.#waiting.filter((each) => isSettled(each, instant, here));
    const important = settled.filter(({ caption }) => must(caption));
    const free = here >= this.#over;
    if (important.length && (free || this.#interruptible)) {
      const now = important.length > MANY ? important : important.slice(0, 1);
      this.#waiting = this.#waiting.filter((each) => !now.includes(each));
      return this.#utter(now.map(({ caption }) => caption), instant, here);
    }
    const [calm] = settled.filter(({ caption }) => !must(caption));
    if (!calm || important.length || !free || here < this.#calmSince + CALM) return;
    this.#waiting = this.#waiting.filter((each) => each !== calm);
    this.#calmSince = here;
    this.#utter([calm.caption], instant, here);
  }

  /** @param {Caption[]} captions @param {Heard} instant @param {number} here */
  #utter(captions, instant, here) {
    const line = lineOf(captions, instant);
    this.#over = Math.max(this.#over, here) + lengthOf(line);
    this.#interruptible = captions.every(({ kind }) => kind === 'lock.acquired' || kind === 'note.started');
    this.#say(line);
  }
}

/** @param {Caption[]} captions @param {Heard} instant */
function lineOf(captions, { view: { lanes }, catalogue }) {
  if (captions.length > TOO_MANY) return summed(captions, lanes, catalogue);
  return captions.map((caption) => {
    const { head, rest } = captionWords(caption, lanes, catalogue);
    return textOf(!rest.length || (captions.length > 1 && caption.importance < DECISIVE) ? head : [...head, t` `, ...rest]);
  }).join(t` `);
}

/** @param {Caption} caption */
const must = ({ importance }) => importance >= ALWAYS_SAID;

/**
 * Whether nothing will be added to a caption any more. The time of the run stands still
 * at its end and for who pauses; then it is that of the visitor that counts.
 * @param {Waiting} waiting @param {Heard} instant @param {number} here
 */
function isSettled({ caption, known }, { at, view, mode }, here) {
  const complete = caption.lanes.length >= view.lanes.length || !caption.lanes.length;
  if (at - caption.at >= (complete ? SETTLES : TOGETHER)) return true;
  return (view.finished || mode === 'paused') && here - known >= TOGETHER / 1000;
}

/**
 * Where the lines go that a screen reader says: each is an element of its own, so that
 * the same line twice is said twice.
 * @param {Element} region
 */
export const sayIn = (region) => (/** @type {string} */ line) => {
  const paragraph = region.ownerDocument.createElement('p');
  paragraph.textContent = line;
  region.append(paragraph);
  while (region.childElementCount > MOST_LINES) region.firstElementChild?.remove();
};

/** So many lines are kept: what a screen reader has not said yet must be there. */
const MOST_LINES = 5;
