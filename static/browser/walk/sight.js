// What a learner sees happen: the events of the run that the page shows, as they come to it.
// It draws them, and lists them in its panel of events.
import { filledLine } from '../../js/lesson/own-znodes.js';
import { createJudging, judge, skip, verdictOf } from '../../js/model/goal.js';

/** @import { Page } from 'playwright-core' */
/** @import { Event } from '../../js/events.d.ts' */
/** @import { Pattern } from '../../js/model/goal.js' */
/** @import { Run } from '../../js/types.d.ts' */

/** What stays so once it has happened: a learner who comes later sees it, too. @type {ReadonlySet<string>} */
const stays = new Set(['check.changed', 'fault.injected']);

export class Sight {
  /** @type {Run | null} */ #run = null;
  /** @type {Event[]} */ #events = [];
  /** @type {Set<() => void>} */ #news = new Set();

  /** @param {Page} page */
  constructor(page) {
    page.on('websocket', (socket) => {
      if (/\/stream\b/.test(socket.url())) socket.on('framereceived', ({ payload }) => this.#take(JSON.parse(String(payload))));
    });
  }

  /** @param {import('../../js/types.d.ts').StreamMessage} message */
  #take({ run, events = [] }) {
    if (run !== undefined) {
      if (run?.id !== this.#run?.id) this.#events = [];
      this.#run = run;
    }
    const last = this.#events.at(-1)?.seq ?? 0;
    this.#events.push(...events.filter(({ seq }) => seq > last));
    for (const tell of this.#news) tell();
  }

  /** Which run it is. */
  get run() {
    return this.#run?.id ?? '';
  }

  /** The number of the newest event. */
  get now() {
    return this.#events.at(-1)?.seq ?? 0;
  }

  /** A line or path with the numbers of the learner's own znodes, as it finds them in the tree. @param {string} line */
  filled(line) {
    const joined = this.#events.findLast(({ kind }) => kind === 'note.joined');
    const root = this.#run?.lanes.find(({ name }) => name === joined?.lane)?.root ?? '';
    const gone = new Set(this.#events.flatMap(({ kind, path }) => (kind === 'tree.deleted' ? path ?? '' : [])));
    return filledLine(line, this.#events.flatMap(({ kind, lane, client, path = '' }) =>
      (kind === 'tree.created' && lane === joined?.lane && client === joined?.client && !gone.has(path) ? path.slice(root.length) : [])));
  }

  /**
   * Waits for something to happen after an event; says after which event to look for the next, or 0 if it has not happened in time.
   * @param {Pattern} where @param {number} since @param {number} patience in milliseconds @returns {Promise<number>}
   */
  happens(where, since, patience) {
    const judging = createJudging({ steps: [{ is: '', missing: '', where }] }, this.#run?.lanes ?? []);
    judging.next = this.#events[0]?.seq ?? 1;
    const events = this.#events;
    let next = 0;
    const look = () => {
      for (; next < events.length && verdictOf(judging).state !== 'met'; next++) {
        const event = /** @type {Event} */ (events[next]);
        (event.seq > since || stays.has(where.kind) ? judge : skip)(judging, event);
      }
      return verdictOf(judging).state === 'met' ? Math.max(since, events[next - 1]?.seq ?? 0) : 0;
    };
    return this.#until(look, patience);
  }

  /** Waits until another run is there. @param {string} run */
  async turnsFrom(run) {
    if (!await this.#until(() => (this.run && this.run !== run ? 1 : 0), 30_000)) throw new Error('no other run has come');
  }

  /** Waits until a look gives a number; 0 if that takes too long. @param {() => number} look @param {number} patience @returns {Promise<number>} */
  #until(look, patience) {
    return new Promise((resolve) => {
      const end = (/** @type {number} */ found) => {
        clearTimeout(late);
        this.#news.delete(again);
        resolve(found);
      };
      const again = () => {
        const found = look();
        if (found) end(found);
      };
      const late = setTimeout(() => end(0), patience);
      this.#news.add(again);
      again();
    });
  }
}
