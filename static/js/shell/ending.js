// Asks before a run ends that should not: a single key never ends one unasked, and
// whoever takes part in it is told what goes with it.

import { html, render } from '../lit.js';
import { actionWords } from '../text/actions.js';
import { t } from '../text/language.js';
import { keyName } from '../view/actions.js';

/** @import { App } from './app.js' */

export class Ending {
  /** @type {App} */ #app;
  /** @type {() => boolean} */ #own;

  /** @param {App} app @param {() => boolean} own whether something of the visitor's is in the run */
  constructor(app, own) {
    this.#app = app;
    this.#own = own;
  }

  /** What a key does, which may have been pressed for a letter. @param {'start' | 'stop'} name @param {() => unknown} act */
  async byKey(name, act) {
    const { key, title } = actionWords[name];
    if (!this.#goes || await asked(this.#own() ? lost() : t`You pressed ${keyName(key)}: ${title}.`)) act();
  }

  /** What a button does: only who would lose something is asked. @param {() => unknown} act */
  async byHand(act) {
    if (!this.#goes || !this.#own() || await asked(lost())) act();
  }

  /** Whether something else may be shown in the place of the run, which goes on without the visitor. */
  async mayLeave() {
    return !this.#goes || !this.#own() || asked(lost(), t`Leave this run?`, t`Leave the run`);
  }

  get #goes() {
    return this.#app.run?.state === 'running' && !this.#app.recorded;
  }
}

const lost = () => t`Your session, your znodes and what you have done of an exercise go with it.`;

/** @param {string} why @param {string} [question] @param {string} [yes] @returns {Promise<boolean>} */
function asked(why, question = t`End this run?`, yes = t`End the run`) {
  const dialog = Object.assign(document.createElement('dialog'), { className: 'help ask' });
  dialog.setAttribute('aria-labelledby', 'ask-title');
  dialog.setAttribute('aria-describedby', 'ask-why');
  render(html`<form method="dialog">
    <h2 id="ask-title">${question}</h2>
    <p id="ask-why">${why}</p>
    <p class="ask-ways"><button class="button" autofocus>${t`Cancel`}</button>
      <button class="button" value="yes">${yes}</button></p></form>`, dialog);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => dialog.addEventListener('close', () => {
    dialog.remove();
    resolve(dialog.returnValue === 'yes');
  }));
}
