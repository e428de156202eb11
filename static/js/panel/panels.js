// The panels, in a drawer under the lanes: none or one is open, by its tab. Each has the
// height that the visitor has given it.

import { byId } from '../ui/dom.js';
import { Edge } from '../ui/edge.js';
import { t } from '../text/language.js';

export { byId };

/** @typedef {'events' | 'words' | 'inspector' | 'belief' | 'console' | 'steps' | 'numbers' | 'source'} PanelName */

const titles = /** @type {Record<PanelName, string>} */ ({
  events: t`Events`, words: t`In words`, inspector: t`Inspector`, belief: t`Belief`, console: t`Console`, steps: t`Steps`, numbers: t`Numbers`, source: t`Your lock`,
});

/** These hold something that takes the focus, and scroll by that. @type {PanelName[]} */
const ownFocus = ['events', 'console', 'source'];

/** @param {string} name @returns {name is PanelName} */
export const isPanel = (name) => Object.hasOwn(titles, name);

export class Panels {
  /** The one that is open, or none. @type {PanelName | ''} */ open = '';
  /** @type {PanelName[]} */ #names;
  /** Those whose tab is taken away. @type {PanelName[]} */ #withheld = [];
  /** @type {HTMLElement} */ #host;
  /** @type {() => void} */ #changed;
  #edge = new Edge(byId('panel-edge'), byId('panels'), { property: '--panel-height', unit: 'dvh', of: 'height' });

  /**
   * @param {HTMLElement} host where the panels are put
   * @param {PanelName[]} names of those that the page has
   * @param {() => void} changed called when another panel is open, or none
   */
  constructor(host, names, changed) {
    this.#host = host;
    this.#names = /** @type {PanelName[]} */ (Object.keys(titles)).filter((name) => names.includes(name));
    this.#changed = changed;
    const tabs = byId('panel-tabs');
    tabs.append(...this.#names.map((name) => this.#tab(name)));
    tabs.addEventListener('keydown', (event) => this.#move(event));
    host.append(...this.#names.map(panel));
    byId('panels-close').addEventListener('click', () => this.#leave());
    host.addEventListener('keydown', (event) => event.key === 'Escape' && !isField(event.target) && this.#leave());
    this.#turnTo('');
  }

  /** Where a panel's content goes. @param {PanelName} name */
  element(name) {
    return byId(`panel-${name}`);
  }

  /** @param {PanelName} name */
  show(name) {
    if (this.#offered.includes(name)) this.#turnTo(name);
  }

  close() {
    this.#turnTo('');
  }

  /** Opens a panel, or closes it where it is open. @param {PanelName} name */
  toggle(name) {
    if (this.open === name) this.#leave();
    else this.show(name);
  }

  /** Takes tabs away of which the page can make nothing now, and gives the others back. @param {PanelName[]} names */
  withhold(names) {
    if (names.join() === this.#withheld.join()) return;
    this.#withheld = names;
    for (const each of this.#names) byId(`tab-${each}`).hidden = names.includes(each);
    if (this.open && names.includes(this.open)) this.close();
    this.#stopAt(this.open || this.#offered[0] || '');
  }

  /** Brings the panels into sight. @param {ScrollLogicalPosition} block */
  scrollTo(block) {
    this.#host.scrollIntoView({ block });
  }

  /** Those whose tab can be pressed. */
  get #offered() {
    return this.#names.filter((name) => !this.#withheld.includes(name));
  }

  /** Closes the panel, and gives the focus that was in it to its tab. */
  #leave() {
    const had = this.#host.contains(document.activeElement);
    const tab = this.open && byId(`tab-${this.open}`);
    this.close();
    if (had && tab) tab.focus();
  }

  /** @param {PanelName | ''} name empty for none */
  #turnTo(name) {
    this.open = name;
    this.#host.hidden = byId('panel-edge').hidden = !name;
    for (const each of this.#names) {
      byId(`tab-${each}`).setAttribute('aria-selected', String(each === name));
      this.element(each).hidden = each !== name;
    }
    this.#stopAt(name || this.#names[0] || '');
    if (name) {
      byId('panels-title').textContent = titles[name];
      byId('stage').dataset['panel'] = name;
      this.#edge.turnTo(`panel-height-${name}`);
    } else {
      delete byId('stage').dataset['panel'];
    }
    this.#changed();
  }

  /** Which of the tabs is reached by the key Tab. @param {PanelName | ''} name */
  #stopAt(name) {
    for (const each of this.#names) byId(`tab-${each}`).tabIndex = each === name ? 0 : -1;
  }

  /** @param {PanelName} name */
  #tab(name) {
    const tab = document.createElement('button');
    Object.assign(tab, { type: 'button', id: `tab-${name}`, role: 'tab', textContent: titles[name] });
    tab.setAttribute('aria-controls', `panel-${name}`);
    tab.addEventListener('click', () => this.toggle(name));
    return tab;
  }

  /** To the next tab, and, where a panel is open, to that of the tab. @param {KeyboardEvent} event */
  #move(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const names = this.#offered;
    const here = names.findIndex((name) => byId(`tab-${name}`) === document.activeElement);
    const next = names[(here + step + names.length) % names.length];
    if (!next) return;
    if (this.open) this.show(next);
    this.#stopAt(next);
    byId(`tab-${next}`).focus();
  }
}

/** Whether it makes something else of the key Escape. @param {EventTarget | null} target */
const isField = (target) => target instanceof HTMLInputElement || target instanceof HTMLSelectElement;

/** @param {PanelName} name */
function panel(name) {
  const element = document.createElement('div');
  Object.assign(element, { id: `panel-${name}`, className: 'panel', role: 'tabpanel', hidden: true });
  element.setAttribute('aria-labelledby', `tab-${name}`);
  if (!ownFocus.includes(name)) element.tabIndex = 0;
  return element;
}
