// What can be done on a page: each action once, with its words, for the buttons, the
// keys, the tooltips and the help.

import { actionWords } from '../text/actions.js';
import { t } from '../text/language.js';

/** @import { ActionName } from '../text/actions.js' */

/**
 * @typedef {object} Action
 * @property {() => unknown} act
 * @property {() => boolean} [possible] now; always, where it does not say
 */

const names = /** @type {ActionName[]} */ (Object.keys(actionWords));

export class Actions {
  /** @type {Map<ActionName, Action>} */ #actions = new Map();

  /** @param {Partial<Record<ActionName, Action | (() => unknown)>>} actions */
  add(actions) {
    for (const [name, action] of Object.entries(actions)) {
      this.#actions.set(/** @type {ActionName} */ (name), typeof action === 'function' ? { act: action } : action);
    }
  }

  /** What this page can do, in the order of the help. */
  get names() {
    return names.filter((name) => this.#actions.has(name));
  }

  /** @param {ActionName} name */
  has(name) {
    return this.#actions.has(name);
  }

  /** Does an action, if it is possible now. @param {ActionName} name */
  do(name) {
    if (this.possible(name)) this.#actions.get(name)?.act();
  }

  /** @param {ActionName} name */
  possible(name) {
    const action = this.#actions.get(name);
    return action !== undefined && (action.possible?.() ?? true);
  }

  /** What a key does now, if anything. @param {string} key as KeyboardEvent.key */
  byKey(key) {
    return this.names.find((name) => actionWords[name].key === key.toLowerCase() && this.possible(name));
  }

  /** What a button's tooltip says: "One event back (,)". @param {ActionName} name */
  tooltip(name) {
    const { key, title } = actionWords[name];
    return title.charAt(0).toUpperCase() + title.slice(1) + (key ? ` (${keyName(key)})` : '');
  }
}

/** A key as it is written on the keyboard. @param {string} key */
export const keyName = (key) => (key === 'escape' ? t`Esc` : key.toUpperCase());
