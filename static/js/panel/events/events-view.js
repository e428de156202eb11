// The log as sentences. A row can be chosen, and what it is about is then chosen everywhere.

import { askedOnce } from '../../log/event-log.js';
import { instant, titleOf } from '../../text/format.js';
import { grouped, t } from '../../text/language.js';
import { sentence } from '../../text/sentence.js';
import { colourOf } from '../../ui/shapes.js';
import { keyOf, subjectOf } from '../../play/subject.js';
import { EventList } from './list.js';
import { EventRows } from './rows.js';

/** @import { Catalogue } from '../../text/catalogue.js' */
/** @import { Event as LogEvent } from '../../events.d.ts' */
/** @import { EventLog } from '../../log/event-log.js' */
/** @import { Shown, Subject } from '../../play/shown.d.ts' */

/**
 * @typedef {object} EventsActions
 * @property {(subject: Subject) => void} select
 * @property {(subject: Subject) => void} inspect opens the inspector
 * @property {(at: number) => void} seek
 * @property {() => void} loadEarlier loads the events just before the log's
 */

/** What can be shown; pings are the heartbeat of a session and drown the rest. */
const groups = /** @type {const} */ ({
  locks: /^(lock|resource|check|note|fault)\./,
  sessions: /^session\./,
  tree: /^tree\.(created|deleted|changed|lost)/,
  messages: /^wire\.(sent|received|dropped|undecoded)/,
  watches: /^watch\./,
  costs: /^(cost|queue|account)\./,
  'on the way': /^(wire\.(delivered|held)|tree\.synced|state\.)/,
});

/** @type {Record<keyof typeof groups, string>} */
const groupWords = { locks: t`locks`, sessions: t`sessions`, tree: t`tree`, messages: t`messages`, watches: t`watches`, costs: t`costs`, 'on the way': t`on the way` };

const usual = ['locks', 'sessions', 'tree'];

export class EventsView {
  /** @type {EventsActions} */ #actions;
  /** @type {HTMLElement} */ #list;
  /** @type {EventList} */ #events;
  /** @type {EventRows} */ #rows;
  /** @type {HTMLButtonElement[]} what can be done with the row that is chosen */ #uses;
  /** @type {HTMLInputElement} */ #words;
  /** @type {HTMLElement} */ #sum;
  /** @type {Set<string>} */ #groups = new Set(usual);
  /** @type {EventLog | undefined} */ #log;
  /** Which events of it are listed. @type {(event: LogEvent) => boolean} */ #listed = () => false;
  /** @type {Catalogue} */ #catalogue;
  /** @type {Map<string, string>} what the lanes are called, by their names */ #lanes = new Map();
  /** The subject whose rows are marked. */ #about = '';
  /** How many events have happened. */ #count = 0;

  /** @param {HTMLElement} panel @param {Catalogue} catalogue @param {EventsActions} actions */
  constructor(panel, catalogue, actions) {
    this.#catalogue = catalogue;
    this.#actions = actions;
    const tools = create('div', 'events-tools');
    this.#words = Object.assign(create('input', 'words'),
      { type: 'search', placeholder: t`Filter, such as client 3`, ariaLabel: t`Filter the events` });
    this.#words.addEventListener('input', () => this.#reset());
    this.#sum = create('span', 'sum');
    const copy = Object.assign(create('button', 'tool'), { type: 'button', textContent: t`Copy` });
    copy.addEventListener('click', () => this.#copy(copy));
    this.#uses = [this.#use(t`Inspect`, t`What the chosen event is about, in full`, () => this.#inspect()),
      this.#use(t`Go there`, t`To the instant of the chosen event`, () => this.#go())];
    const uses = create('div', 'uses');
    uses.append(this.#sum, ...this.#uses, copy);
    tools.append(this.#words, ...Object.keys(groupWords).map((name) => this.#toggle(/** @type {keyof typeof groups} */ (name))), uses);
    this.#list = Object.assign(create('ol', ''), { role: 'presentation' });
    const box = Object.assign(create('div', 'events'), { role: 'listbox', tabIndex: 0, ariaLabel: t`Events, newest last` });
    box.append(this.#list);
    box.addEventListener('scroll', () => this.#loadEarlier());
    this.#events = new EventList(box, this.#list, (event) => this.#row(event));
    this.#rows = new EventRows(box, this.#list, this.#events, (again) => this.#choose(again));
    panel.append(tools, box);
  }

  /** Shows the events up to an instant: what has come since, or else all anew. @param {Shown} shown */
  update({ log, count, view, catalogue, selection }) {
    const same = log === this.#log && catalogue === this.#catalogue;
    if (!same) this.#lanes = new Map(view.lanes.map(({ info }) => [info.name, titleOf(info).name]));
    this.#log = log;
    this.#catalogue = catalogue;
    const goesOn = same && count >= this.#count;
    this.#count = count;
    if (!same) this.#rows.chosen = 0;
    if (goesOn) this.#events.goOn(count);
    else if (same) this.#events.show(log, count, this.#listed);
    else this.#reset();
    this.#rows.restore();
    this.#loadEarlier();
    const sum = t`${grouped(count)} events`;
    if (this.#sum.textContent !== sum) this.#sum.textContent = sum;
    if (this.#about !== keyOf(selection)) this.#mark(keyOf(selection));
    for (const button of this.#uses) button.disabled = !this.#chosen;
  }

  #loadEarlier() {
    if (this.#events.lacksEarlier) this.#actions.loadEarlier();
  }

  /** Marks the rows that are about what is chosen. @param {string} about */
  #mark(about) {
    this.#about = about;
    for (const row of this.#list.children) row.classList.toggle('about', about !== '' && row.getAttribute('data-about') === about);
  }

  /** The event that is chosen, if it has happened. */
  get #chosen() {
    return this.#rows.chosen <= this.#count ? this.#log?.event(this.#rows.chosen - 1) : undefined;
  }

  /** A row has been chosen, or chosen again. @param {boolean} again */
  #choose(again) {
    const event = this.#chosen;
    const subject = event && subjectOf(event);
    if (subject && again) this.#actions.inspect(subject);
    else if (subject) this.#actions.select(subject);
    for (const button of this.#uses) button.disabled = !event;
  }

  #inspect() {
    const event = this.#chosen;
    const subject = event && subjectOf(event);
    if (subject) this.#actions.inspect(subject);
  }

  #go() {
    const event = this.#chosen;
    if (event) this.#actions.seek(event.at);
  }

  /** @param {string} words @param {string} title @param {() => void} use */
  #use(words, title, use) {
    const button = Object.assign(create('button', 'tool'), { type: 'button', textContent: words, title, disabled: true });
    button.addEventListener('click', use);
    return button;
  }

  /** Lists what passes by now. */
  #reset() {
    this.#listed = askedOnce((event) => this.#passes(event));
    if (this.#log) this.#events.show(this.#log, this.#count, this.#listed);
  }

  /** @param {LogEvent} event */
  #laneOf = ({ lane = '' }) => this.#lanes.get(lane) ?? lane;

  /** @param {LogEvent} event */
  #passes(event) {
    const inGroup = Object.entries(groups).some(([name, kinds]) => this.#groups.has(name) && kinds.test(event.kind));
    if (!inGroup || (event.op === 'ping' && !this.#groups.has('on the way'))) return false;
    const words = this.#words.value.trim().toLowerCase();
    return !words || `${this.#laneOf(event)} ${event.lane ?? ''} ${event.kind} ${sentence(event, this.#catalogue)}`.toLowerCase().includes(words);
  }

  /** @param {keyof typeof groups} name */
  #toggle(name) {
    const label = create('label', 'check');
    const box = Object.assign(create('input', ''), { type: 'checkbox', checked: this.#groups.has(name) });
    box.addEventListener('change', () => {
      if (box.checked) this.#groups.add(name);
      else this.#groups.delete(name);
      this.#reset();
    });
    label.append(box, groupWords[name]);
    return label;
  }

  /** All that has happened and passes, a line for each. @param {HTMLElement} button */
  async #copy(button) {
    const lines = (this.#log?.slice(0, this.#count) ?? []).filter(this.#listed)
      .map((event) => [instant(event.at), this.#laneOf(event), sentence(event, this.#catalogue)].join('\t'));
    const copied = await navigator.clipboard.writeText(lines.join('\n')).then(() => true, () => false);
    button.textContent = copied ? t`Copied ${lines.length} lines` : t`The browser refused`;
    setTimeout(() => { button.textContent = t`Copy`; }, 2000);
  }

  /** @param {LogEvent} event */
  #row(event) {
    const key = keyOf(subjectOf(event));
    const item = Object.assign(create('li', key && key === this.#about ? 'about' : ''),
      { id: `event-${event.seq}`, role: 'option', ariaSelected: String(event.seq === this.#rows.chosen) });
    Object.assign(item.dataset, { kind: event.kind, seq: event.seq, about: key });
    const time = Object.assign(create('time', ''), { textContent: instant(event.at) });
    const lane = Object.assign(create('span', 'lane-name'), { textContent: this.#laneOf(event) });
    const text = Object.assign(create('span', event.client ? `text ${colourOf(event.client)}` : 'text'), { textContent: sentence(event, this.#catalogue) });
    item.title = `${event.seq} ${event.kind}${event.path ? ` ${event.path}` : ''}`;
    item.append(time, lane, text);
    return item;
  }
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
