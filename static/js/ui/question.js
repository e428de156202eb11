// Asks whether a run may end, or be left.

import { html, render } from '../lit.js';
import { actionWords } from '../text/actions.js';
import { t } from '../text/language.js';
import { keyName } from './actions.js';

const lost = t`Your session, your znodes and what you have done of an exercise go with it. Goals that are met stay met.`;

/** @param {boolean} own whether something of the visitor's goes with it @param {'start' | 'stop'} [name] of what a key was pressed for */
export function ends(own, name) {
  return asked(t`End this run?`, own || !name ? lost : t`You pressed ${keyName(actionWords[name].key)}: ${actionWords[name].title}.`, t`End the run`);
}

export const leaves = () => asked(t`Leave this run?`, lost, t`Leave the run`);

/** @param {string} question @param {string} why @param {string} yes @returns {Promise<boolean>} */
function asked(question, why, yes) {
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
