// The panels under the lanes: one open at a time, as tabs.

/** @typedef {'events' | 'sequence' | 'words' | 'inspector' | 'belief' | 'steps' | 'charts'} PanelName */

const titles = /** @type {Record<PanelName, string>} */ ({
  events: 'Events', sequence: 'Sequence', words: 'In words', inspector: 'Inspector', belief: 'Belief', steps: 'Steps', charts: 'Charts',
});
const names = /** @type {PanelName[]} */ (Object.keys(titles));

/** @param {string} name @returns {name is PanelName} */
export const isPanel = (name) => Object.hasOwn(titles, name);

export class Panels {
  /** @type {PanelName} */ open = 'events';
  /** @type {() => void} */ #changed;

  /**
   * @param {HTMLElement} tabs
   * @param {() => void} changed called when another panel opens
   */
  constructor(tabs, changed) {
    this.#changed = changed;
    tabs.append(...names.map((name) => this.#tab(name)));
    tabs.addEventListener('keydown', (event) => this.#move(event));
    this.show('events');
  }

  /** @param {PanelName} name */
  show(name) {
    this.open = name;
    for (const each of names) {
      const tab = byId(`tab-${each}`);
      tab.setAttribute('aria-selected', String(each === name));
      tab.tabIndex = each === name ? 0 : -1;
      byId(`panel-${each}`).hidden = each !== name;
    }
    this.#changed();
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
    const next = names[(names.indexOf(this.open) + step + names.length) % names.length] ?? 'events';
    this.show(next);
    byId(`tab-${next}`).focus();
  }
}

/** @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no element "${id}"`);
  return element;
}
