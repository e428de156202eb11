// Choosing a row of the events by mouse or by keyboard: a list box, so that hundreds
// of rows are one stop of the tab key.

/** @import { EventList } from './list.js' */

/** How many rows Page Up and Page Down pass. */
const PAGE = 10;

export class EventRows {
  /** The number of the event that is chosen, or 0. */ chosen = 0;
  /** @type {HTMLElement} */ #box;
  /** @type {HTMLElement} */ #list;
  /** @type {EventList} */ #events;
  /** @type {(again: boolean) => void} */ #choose;
  /** The number of the event where the keys are, or 0. */ #active = 0;

  /**
   * @param {HTMLElement} box what has the focus, and scrolls
   * @param {HTMLElement} list of the rows
   * @param {EventList} events which of them are there
   * @param {(again: boolean) => void} choose called when a row is chosen, or once more
   */
  constructor(box, list, events, choose) {
    this.#box = box;
    this.#list = list;
    this.#events = events;
    this.#choose = choose;
    box.addEventListener('keydown', (event) => this.#key(event));
    list.addEventListener('click', (event) => this.#take(/** @type {Element} */ (event.target).closest('li')));
  }

  /** Rows have come and gone: the keys are nowhere when theirs is gone. */
  restore() {
    if (this.#active && !this.#row(this.#active)) this.#go(null);
  }

  /** @param {number} seq @returns {HTMLElement | null} */
  #row(seq) {
    return seq ? this.#list.querySelector(`#event-${seq}`) : null;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Home') this.#events.toStart();
    if (event.key === 'End') this.#events.toEnd();
    const rows = this.#list.children;
    const last = rows.length - 1;
    const active = this.#row(this.#active);
    const index = active ? [...rows].indexOf(active) : last + 1;
    const to = /** @type {Record<string, number>} */ ({
      ArrowUp: index - 1, ArrowDown: index + 1, PageUp: index - PAGE, PageDown: index + PAGE, Home: 0, End: last,
    })[event.key];
    if (to !== undefined) this.#go(/** @type {HTMLElement | undefined} */ (rows[Math.max(0, Math.min(last, to))]) ?? null);
    else if (active && (event.key === 'Enter' || event.key === ' ')) this.#take(active);
    else return;
    event.preventDefault();
  }

  /** @param {HTMLElement | null} row */
  #go(row) {
    this.#row(this.#active)?.classList.remove('active');
    this.#active = Number(row?.dataset['seq'] ?? 0);
    row?.classList.add('active');
    row?.scrollIntoView({ block: 'nearest' });
    if (row) this.#box.setAttribute('aria-activedescendant', row.id);
    else this.#box.removeAttribute('aria-activedescendant');
  }

  /** @param {HTMLElement | null} row */
  #take(row) {
    if (!row) return;
    const seq = Number(row.dataset['seq']);
    const again = seq === this.chosen;
    const before = this.#row(this.chosen);
    if (before) before.ariaSelected = 'false';
    this.chosen = seq;
    row.ariaSelected = 'true';
    this.#go(row);
    this.#choose(again);
  }
}
