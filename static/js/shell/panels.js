// The panels under the lanes: one open at a time, as tabs. Each has the height that the
// visitor has given it.

import { Edge } from './edge.js';
import { t } from '../text/language.js';

/** @typedef {'events' | 'sequence' | 'words' | 'inspector' | 'belief' | 'console' | 'steps' | 'numbers'} PanelName */

const titles = /** @type {Record<PanelName, string>} */ ({
  events: t`Events`, sequence: t`Sequence`, words: t`In words`, inspector: t`Inspector`, belief: t`Belief`, console: t`Console`, steps: t`Steps`, numbers: t`Numbers`,
});

/** These hold something that takes the focus, and scroll by that. @type {PanelName[]} */
const ownFocus = ['events', 'sequence', 'console'];

/** @param {string} name @returns {name is PanelName} */
export const isPanel = (name) => Object.hasOwn(titles, name);

export class Panels {
  /** @type {PanelName} */ open = 'events';
  /** @type {PanelName[]} */ #names;
  /** @type {HTMLElement} */ #host;
  /** @type {() => void} */ #changed;
  #edge = new Edge(byId('panel-edge'), byId('panels'), { property: '--panel-height', unit: 'dvh', of: 'height' });

  /**
   * @param {HTMLElement} host with an element for the tabs; the panels are put below that
   * @param {PanelName[]} names of those that the page has
   * @param {() => void} changed called when another panel opens
   */
  constructor(host, names, changed) {
    this.#host = host;
    this.#names = /** @type {PanelName[]} */ (Object.keys(titles)).filter((name) => names.includes(name));
    this.#changed = changed;
    const tabs = byId('panel-tabs');
    tabs.append(...this.#names.map((name) => this.#tab(name)));
    tabs.addEventListener('keydown', (event) => this.#move(event));
    host.append(...this.#names.map(panel));
    this.show('events');
  }

  /** Where a panel's content goes. @param {PanelName} name */
  element(name) {
    return byId(`panel-${name}`);
  }

  /** @param {PanelName} name */
  show(name) {
    if (!this.#names.includes(name)) return;
    this.open = name;
    for (const each of this.#names) {
      const tab = byId(`tab-${each}`);
      tab.setAttribute('aria-selected', String(each === name));
      tab.tabIndex = each === name ? 0 : -1;
      this.element(each).hidden = each !== name;
    }
    byId('stage').dataset['panel'] = name;
    this.#edge.turnTo(`panel-height-${name}`);
    this.#changed();
  }

  /** Brings the panels into sight. @param {ScrollLogicalPosition} block */
  scrollTo(block) {
    this.#host.scrollIntoView({ block });
  }

  /** @param {PanelName} name */
  #tab(name) {
    const tab = document.createElement('button');
    Object.assign(tab, { type: 'button', id: `tab-${name}`, role: 'tab', textContent: titles[name] });
    tab.setAttribute('aria-controls', `panel-${name}`);
    tab.addEventListener('click', () => this.show(name));
    return tab;
  }

  /** @param {KeyboardEvent} event */
  #move(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const names = this.#names;
    const next = names[(names.indexOf(this.open) + step + names.length) % names.length] ?? 'events';
    this.show(next);
    byId(`tab-${next}`).focus();
  }
}

/** @param {PanelName} name */
function panel(name) {
  const element = document.createElement('div');
  Object.assign(element, { id: `panel-${name}`, className: 'panel', role: 'tabpanel', hidden: true });
  element.setAttribute('aria-labelledby', `tab-${name}`);
  if (!ownFocus.includes(name)) element.tabIndex = 0;
  return element;
}

/** @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no element "${id}"`);
  return element;
}
