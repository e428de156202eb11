// The rows of the events in sight, and some around them: where the visitor scrolls to,
// rows are added, and at the other end they go. At the end of the log it follows the run;
// away from there nothing moves.

/** @import { Event as LogEvent } from '../../events.d.ts' */
/** @import { EventLog } from '../../log/event-log.js' */

/** How many rows are added at once: more than fit into any window. */
const CHUNK = 80;
/** How low a row is at least, in pixels, and how many are added at first to those that fit: whoever goes back and forth in time sees the last rows alone. */
const [LOWEST, SPARE] = [16, 8];
/** How many rows there are at most. */
const MOST = 3 * CHUNK;

/** How near to an end the visitor must be for more rows to come, and to be at the end of the log, in pixels. */
const NEAR = 300;
const AT_END = 24;

export class EventList {
  /** @type {HTMLElement} what scrolls */ #box;
  /** @type {HTMLElement} */ #list;
  /** @type {(event: LogEvent) => HTMLElement} */ #row;
  /** @type {EventLog | undefined} */ #log;
  /** How many events of the log have happened. */ #count = 0;
  /** @type {(event: LogEvent) => boolean} */ #passes = () => true;
  /** The index of the first event that has been looked at for the rows, and that after the last. */
  #from = 0;
  #to = 0;
  #following = true;
  /** How far it was scrolled: who follows the run stops by going back, not because the box has become lower. */ #top = 0;
  /** How many events there were before those of the log when it was shown last. */ #start = 0;
  /** How many rows are made for the end of the log. */ #fitting = CHUNK;

  /** @param {HTMLElement} box @param {HTMLElement} list in it @param {(event: LogEvent) => HTMLElement} row */
  constructor(box, list, row) {
    this.#box = box;
    this.#list = list;
    this.#row = row;
    box.addEventListener('scroll', () => this.#scrolled());
    new ResizeObserver(() => {
      this.#fitting = Math.min(CHUNK, Math.ceil(box.clientHeight / LOWEST) + SPARE);
      if (!this.#following) return;
      if (this.#list.childElementCount < this.#fitting && this.#from > this.#start) this.toEnd(); // it was lower when it was filled
      else this.#scrollToEnd();
    }).observe(box);
  }

  /**
   * Shows the last of the events that have happened and that pass.
   * @param {EventLog} log @param {number} count how many have happened @param {(event: LogEvent) => boolean} passes
   */
  show(log, count, passes) {
    [this.#log, this.#count, this.#passes, this.#start] = [log, count, passes, log.start];
    this.toEnd();
  }

  /** More events have happened. @param {number} count */
  goOn(count) {
    const missed = count - this.#count;
    this.#count = count;
    if (!this.#log) return;
    const { start } = this.#log;
    if (start !== this.#start) this.#takeEarlier(start);
    else if (!this.#following) return;
    else if (missed > MOST) this.toEnd();
    else this.#append(this.#log.slice(this.#to, count).filter(this.#passes), count);
  }

  /** Whether the visitor has come to the first event of a log that begins later than the run. */
  get lacksEarlier() {
    const start = this.#log?.start ?? 0;
    return start > 0 && this.#from <= start && (this.#list.childElementCount < this.#fitting || this.#box.scrollTop < NEAR);
  }

  /** The log begins earlier by now. @param {number} start */
  #takeEarlier(start) {
    this.#start = start;
    if (this.#following) this.toEnd();
    else this.#scrolled();
  }

  /** Shows the newest events. */
  toEnd() {
    this.#list.replaceChildren();
    this.#from = this.#to = this.#count;
    this.#following = true;
    this.#older(this.#fitting);
    this.#scrollToEnd();
  }

  /** Shows the oldest events. */
  toStart() {
    this.#list.replaceChildren();
    this.#from = this.#to = 0;
    this.#following = false;
    this.#newer();
    this.#box.scrollTop = 0;
  }

  /**
   * Rows for events that have just happened, which the visitor follows. Old rows go seldom, many at once:
   * the others then move without being scrolled.
   * @param {LogEvent[]} events @param {number} to
   */
  #append(events, to) {
    this.#to = to;
    if (!events.length) return;
    this.#list.append(...events.map(this.#row));
    if (this.#list.childElementCount > MOST) while (this.#list.childElementCount > CHUNK) this.#drop('first');
    this.#scrollToEnd();
  }

  /** Adds rows before the first. @param {number} [most] */
  #older(most = CHUNK) {
    const events = this.#log?.newest(most, this.#passes, this.#from) ?? [];
    this.#from = events.length === most ? /** @type {LogEvent} */ (events[0]).seq - 1 : this.#log?.start ?? 0;
    this.#list.prepend(...events.map(this.#row));
    while (this.#list.childElementCount > MOST) this.#drop('last');
  }

  /** Adds a chunk after the last row. */
  #newer() {
    const events = this.#log?.oldest(CHUNK, this.#passes, this.#to, this.#count) ?? [];
    this.#to = events.length === CHUNK ? /** @type {LogEvent} */ (events.at(-1)).seq : this.#count;
    this.#list.append(...events.map(this.#row));
    while (this.#list.childElementCount > MOST) this.#drop('first');
  }

  /** Takes a row away; its event comes again when it is scrolled to. @param {'first' | 'last'} end */
  #drop(end) {
    const row = /** @type {HTMLElement} */ (end === 'first' ? this.#list.firstElementChild : this.#list.lastElementChild);
    const seq = Number(row.dataset['seq']);
    if (end === 'first') this.#from = seq;
    else this.#to = seq - 1;
    row.remove();
  }

  #scrollToEnd() {
    this.#box.scrollTop = this.#box.scrollHeight;
    this.#top = this.#box.scrollTop;
  }

  #scrolled() {
    const { scrollTop, scrollHeight, clientHeight } = this.#box;
    const below = scrollHeight - clientHeight - scrollTop;
    const back = scrollTop < this.#top;
    this.#top = scrollTop;
    this.#following = this.#to === this.#count && (below <= AT_END || (this.#following && !back));
    if (this.#following) return;
    if (scrollTop < NEAR && this.#from > this.#start) this.#inPlace(this.#list.firstElementChild, () => this.#older());
    else if (below < NEAR && this.#to < this.#count) this.#inPlace(this.#list.lastElementChild, () => this.#newer());
  }

  /** Adds rows, and lets those in sight stay where they are. @param {Element | null} kept a row that stays @param {() => void} add */
  #inPlace(kept, add) {
    const top = () => kept?.getBoundingClientRect().top ?? 0;
    const before = top();
    add();
    this.#box.scrollTop += top() - before;
  }
}
