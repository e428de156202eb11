// The log as sentences. The page holds the newest rows only; the log is whole.

import { instant } from '../text/format.js';
import { sentence } from '../text/sentence.js';
import { colourOf } from '../view/shapes.js';

/** @import { Catalogue } from '../text/catalogue.js' */
/** @import { Event as LogEvent } from '../events.d.ts' */
/** @import { EventLog } from '../log/event-log.js' */

const MOST_ROWS = 500;

/** What can be shown; pings are the heartbeat of a session and drown the rest. */
const groups = /** @type {const} */ ({
  locks: /^(lock|resource|check|note|fault)\./,
  sessions: /^session\./,
  tree: /^tree\.(created|deleted|changed|lost)/,
  messages: /^wire\.(sent|received|dropped|undecoded)/,
  'on the way': /^(wire\.(delivered|held)|tree\.synced)/,
});

const usual = ['locks', 'sessions', 'tree'];

export class EventsView {
  /** @type {HTMLElement} */ #list;
  /** @type {HTMLElement} */ #window;
  /** @type {HTMLInputElement} */ #words;
  /** @type {HTMLElement} */ #sum;
  /** @type {Set<string>} */ #groups = new Set(usual);
  /** @type {EventLog | undefined} */ #log;
  /** @type {Catalogue} */ #catalogue;
  #next = 0;

  /** @param {HTMLElement} panel @param {Catalogue} catalogue */
  constructor(panel, catalogue) {
    this.#catalogue = catalogue;
    const tools = create('div', 'events-tools');
    this.#words = Object.assign(create('input', 'words'),
      { type: 'search', placeholder: 'Filter, such as client 3', ariaLabel: 'Filter the events' });
    this.#words.addEventListener('input', () => this.#reset());
    this.#sum = create('span', 'sum');
    const copy = Object.assign(create('button', 'tool'), { type: 'button', textContent: 'Copy' });
    copy.addEventListener('click', () => this.#copy(copy));
    tools.append(this.#words, ...Object.keys(groups).map((name) => this.#toggle(name)), this.#sum, copy);
    this.#list = create('ol', '');
    this.#window = Object.assign(create('div', 'events'), { role: 'log', tabIndex: 0, ariaLabel: 'Events, newest last', ariaLive: 'off' });
    this.#window.append(this.#list);
    panel.append(tools, this.#window);
  }

  /**
   * Shows the first events of a log: what has come since, or else all anew.
   * @param {EventLog} log @param {number} count of the events @param {Catalogue} catalogue
   */
  update(log, count, catalogue) {
    const same = log === this.#log && catalogue === this.#catalogue;
    this.#log = log;
    this.#catalogue = catalogue;
    if (!same || count < this.#next || count - this.#next > MOST_ROWS) this.#reset(count);
    else this.#append(log.slice(this.#next, count).filter((event) => this.#passes(event)));
    this.#next = count;
    const sum = `${count.toLocaleString('en')} events`;
    if (this.#sum.textContent !== sum) this.#sum.textContent = sum;
  }

  #reset(count = this.#next) {
    this.#list.replaceChildren();
    this.#append(this.#log?.newest(MOST_ROWS, (event) => this.#passes(event), count) ?? []);
    this.#window.scrollTop = this.#window.scrollHeight;
  }

  /** @param {LogEvent[]} events */
  #append(events) {
    if (!events.length) return;
    const [list, view] = [this.#list, this.#window];
    const following = view.scrollTop + view.clientHeight >= view.scrollHeight - 24;
    list.append(...events.map((event) => row(event, this.#catalogue)));
    while (list.childElementCount > MOST_ROWS) list.firstElementChild?.remove();
    if (following) view.scrollTop = view.scrollHeight;
  }

  /** @param {LogEvent} event */
  #passes(event) {
    const inGroup = Object.entries(groups).some(([name, kinds]) => this.#groups.has(name) && kinds.test(event.kind));
    if (!inGroup || (event.op === 'ping' && !this.#groups.has('on the way'))) return false;
    const words = this.#words.value.trim().toLowerCase();
    return !words || `${event.lane ?? ''} ${event.kind} ${sentence(event, this.#catalogue)}`.toLowerCase().includes(words);
  }

  /** @param {string} name */
  #toggle(name) {
    const label = create('label', 'check');
    const box = Object.assign(create('input', ''), { type: 'checkbox', checked: this.#groups.has(name) });
    box.addEventListener('change', () => {
      if (box.checked) this.#groups.add(name);
      else this.#groups.delete(name);
      this.#reset();
    });
    label.append(box, name);
    return label;
  }

  /** @param {HTMLElement} button */
  async #copy(button) {
    const lines = [...this.#list.children].map((each) => /** @type {HTMLElement} */ (each).innerText.replaceAll('\n', '\t'));
    const copied = await navigator.clipboard.writeText(lines.join('\n')).then(() => true, () => false);
    button.textContent = copied ? `Copied ${lines.length} lines` : 'The browser refused';
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  }
}

/** @param {LogEvent} event @param {Catalogue} catalogue */
function row(event, catalogue) {
  const item = create('li', '');
  item.dataset['kind'] = event.kind;
  const time = Object.assign(create('time', ''), { textContent: instant(event.at) });
  const lane = Object.assign(create('span', 'lane-name'), { textContent: event.lane ?? '' });
  const text = Object.assign(create('span', event.client ? `text ${colourOf(event.client)}` : 'text'), { textContent: sentence(event, catalogue) });
  item.title = `${event.seq} ${event.kind}${event.path ? ` ${event.path}` : ''}`;
  item.append(time, lane, text);
  return item;
}

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string} name
 */
function create(tag, name) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  return element;
}
