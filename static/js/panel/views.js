// The two views of the stage: the picture of the lanes at an instant, and their sequence
// diagram over time. One of them is shown.

import { t } from '../text/language.js';
import { byId, isPanel } from './panels.js';

/** @import { PanelName, Panels } from './panels.js' */

/** @typedef {'picture' | 'sequence'} ViewName */

const titles = /** @type {Record<ViewName, string>} */ ({ picture: t`Picture`, sequence: t`Sequence` });
/** Where each is drawn. @type {Record<ViewName, string>} */
const places = { picture: 'lanes', sequence: 'sequence' };

/** @param {string} name @returns {name is ViewName} */
export const isView = (name) => Object.hasOwn(titles, name);

export class Views {
  /** @type {ViewName} */ shown = 'picture';
  /** @type {Panels} */ #panels;
  #changed;
  #narrow;

  /** @param {Panels} panels @param {() => void} changed called when the other one is shown @param {() => boolean} narrow whether the page is one column */
  constructor(panels, changed, narrow) {
    this.#panels = panels;
    this.#changed = changed;
    this.#narrow = narrow;
    byId('views').append(...names.map((name) => this.#button(name)));
    this.show('picture');
  }

  /** @param {ViewName} name */
  show(name) {
    this.shown = name;
    for (const each of names) {
      byId(`view-${each}`).setAttribute('aria-pressed', String(each === name));
      byId(places[each]).hidden = each !== name;
    }
    byId('stage').dataset['view'] = name;
    this.#changed();
  }

  /** What is shown, and which panel is open beside, in one word for links and classes: empty for the picture alone. */
  get word() {
    return [this.shown === 'sequence' ? 'sequence' : '', this.#panels.open].filter(Boolean).join('.');
  }

  /** Shows, and opens or closes, what such a word says. @param {string} word */
  restore(word) {
    const words = word.split('.');
    const panel = words.find(isPanel);
    if (panel) this.#panels.show(panel);
    else this.#panels.close();
    this.show(words.includes('sequence') ? 'sequence' : 'picture');
  }

  /** @param {PanelName | ViewName} name of what is to be seen */
  open(name) {
    if (isView(name)) this.show(name);
    else this.#panels.show(name);
  }

  /** Opens a panel, and brings it into sight where the page is narrow. @param {PanelName} name */
  bring(name) {
    this.#panels.show(name);
    if (this.#narrow()) this.#panels.scrollTo('start');
  }

  /** @param {ViewName} name */
  #button(name) {
    const button = document.createElement('button');
    Object.assign(button, { type: 'button', id: `view-${name}`, textContent: titles[name] });
    button.addEventListener('click', () => this.show(name));
    return button;
  }
}

const names = /** @type {ViewName[]} */ (Object.keys(titles));
