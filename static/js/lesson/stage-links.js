// From the lesson to the stage: a word of the text lights what it names, opens a panel,
// or goes to an instant of the run.

import { told } from '../model/instants.js';
import { isPanel } from '../panel/panels.js';
import { isView } from '../panel/views.js';
import { t } from '../text/language.js';

/** @import { Event } from '../events.d.ts' */
/** @import { Place } from '../play/address.js' */
/** @import { App } from '../shell/app.js' */
/** @import { EventLog } from '../log/event-log.js' */

/** What is lit, as a selector: an element gets an outline, what is drawn a thick line. @type {Record<string, { element?: string, drawn?: string }>} */
export const parts = {
  lane: { element: '.lane' },
  queue: { drawn: '.queue .server' },
  directory: { drawn: '.queue .directory rect' },
  znode: { drawn: '.znode .box' },
  client: { element: '.client .token' },
  holder: { element: '.client.is-holds .token', drawn: '.znode.is-holds .box' },
  watch: { element: '.tree .watching', drawn: '.arrow .watch' },
  tree: { element: '#tree' },
  cost: { element: '.wake' },
  average: { element: '.meters' },
  account: { element: '.account' },
  checks: { element: '.checks' },
  caption: { element: '#caption' },
  list: { element: '#caption > button' },
  timeline: { element: '#timeline .track' },
  live: { element: '#timeline .live' },
  faults: { element: '.break-any' },
  delay: { element: '.run-bar .delay' },
  stop: { element: '.run-buttons button:last-child' },
};

/**
 * The events that instants of the run are named by, the decisive ones as in a scenario: the
 * first, or the newest where a visitor may have caused it again; and how long after it to
 * look, in microseconds, where what belongs to it is told in any order.
 * @type {Record<string, { is: (event: Event) => boolean, newest?: boolean, after?: number }>}
 */
export const instants = {
  'at-first-hold': { is: ({ kind }) => kind === 'lock.acquired' },
  'at-release': { is: ({ kind }) => kind === 'lock.released' },
  'at-fault': { is: ({ kind }) => kind === 'fault.injected', newest: true },
  'at-cut-off': { is: ({ kind }) => kind === 'session.suspended', newest: true, after: 100_000 },
  ...Object.fromEntries(Object.entries(told).map(([name, is]) => [`at-${name}`, { is }])),
};

/** The number of a client that is named, or 0. @param {string} name */
export const clientOf = (name) => Number(/^client-(\d+)$/.exec(name)?.[1] ?? 0);

/** Where a viewer stands at an instant that has come; undefined for another, and for the first of many that may be before the log. @param {EventLog} log @param {string} name @returns {Place | undefined} */
export function placeOfInstant(log, name) {
  const { is, newest, after } = instants[name] ?? { is: () => false };
  const event = newest ? log.newest(1, is)[0] : log.start ? undefined : log.oldest(1, is, 0, log.length)[0];
  return event && (after ? { at: event.at + after } : { seq: event.seq });
}

/** Goes to an instant, if it has come. @param {App} app @param {string} name */
export function goToInstant(app, name) {
  const { log, clock } = app.playback;
  const there = placeOfInstant(log, name);
  if (there) void app.standing.go(there, 'viewer');
  else if (log.start || clock.reading) app.standing.travel(({ playhead }) => { playhead.wanted = { at: 0, go: () => goToInstant(app, name) }; });
  else app.tell(app.run ? t`That has not happened in this run yet.` : t`Nothing runs yet: press “Run this” first.`);
}

/**
 * @typedef {object} StageLinkActions
 * @property {() => void} reveal brings the stage into sight, where the lesson is in its place
 * @property {(name: import('../panel/panels.js').PanelName | import('../panel/views.js').ViewName) => void} open a panel or a view
 * @property {(name: string) => void} goTo an instant
 * @property {(client: number) => void} inspect
 */

export class StageLinks {
  /** @type {StageLinkActions} */ #actions;
  #sheet = new CSSStyleSheet();

  /** @param {HTMLElement} article @param {StageLinkActions} actions */
  constructor(article, actions) {
    this.#actions = actions;
    document.adoptedStyleSheets.push(this.#sheet);
    for (const kind of ['pointerover', 'focusin']) article.addEventListener(kind, ({ target }) => this.#light(nameOf(target)));
    article.addEventListener('focusout', () => this.#light(''));
    article.addEventListener('pointerout', ({ target }) => nameOf(target) && this.#light(nameOf(document.activeElement)));
    article.addEventListener('click', (event) => this.#follow(event));
  }

  /** @param {string} name empty for nothing */
  #light(name) {
    const client = clientOf(name);
    const { element, drawn } = client ? { element: `.client[data-client="${client}"] .token` } : isPanel(name) ? { element: `#tab-${name}` } : isView(name) ? { element: `#view-${name}` } : parts[name] ?? {};
    this.#sheet.replaceSync([
      element ? `${element} { outline: 3px solid var(--accent); outline-offset: 2px; }` : '',
      drawn ? `${drawn} { stroke: var(--accent) !important; stroke-width: 4px !important; }` : '',
    ].join(' '));
  }

  /** @param {MouseEvent} event */
  #follow(event) {
    const name = nameOf(event.target);
    if (!name || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.#actions.reveal();
    this.#light(name);
    const client = clientOf(name);
    if (client) this.#actions.inspect(client);
    else if (isPanel(name) || isView(name)) this.#actions.open(name);
    else if (instants[name]) this.#actions.goTo(name);
    else show(parts[name] ?? {});
  }
}

/** What a link of the lesson names, or empty. @param {EventTarget | null} target */
const nameOf = (target) => (target instanceof Element && target.closest('a')?.dataset['stage']) || '';

/** Brings what is lit into sight. @param {{ element?: string, drawn?: string }} part */
function show({ element, drawn }) {
  const all = [...document.querySelectorAll([element, drawn].filter(Boolean).join(','))];
  all.find((each) => each.checkVisibility())?.scrollIntoView({ block: 'nearest' });
}
