// The tools in the page's bar: theme, presentation and help.

import { html, render } from '../lit.js';
import { actionWords } from '../text/actions.js';
import { t } from '../text/language.js';
import { keyName } from '../ui/actions.js';
import { byId } from '../panel/panels.js';
import { restoreTheme, theme, toggleTheme } from '../ui/theme.js';

/** @import { Actions } from '../ui/actions.js' */

export class PageTools {
  /** @type {Actions} */ #actions;
  /** @type {() => void} */ #changed;

  /** @param {Actions} actions of the page, for its help @param {() => void} changed called when the page looks different */
  constructor(actions, changed) {
    this.#actions = actions;
    this.#changed = changed;
    restoreTheme();
    this.#nameTheme();
    byId('help-open').addEventListener('click', () => actions.do('help'));
    byId('shapes-open').addEventListener('click', () => {
      actions.do('help');
      byId('shapes').focus();
    });
    byId('theme-toggle').addEventListener('click', () => actions.do('theme'));
    byId('present-toggle').addEventListener('click', () => this.#present());
    document.addEventListener('fullscreenchange', () => !document.fullscreenElement && presents() && this.#present());
  }

  /** @returns {Parameters<Actions['add']>[0]} */
  actions() {
    return {
      present: () => this.#present(),
      leave: { act: () => this.#present(), possible: presents },
      theme: () => this.#switchTheme(),
      help: () => this.#help(),
    };
  }

  #help() {
    render(keysView(this.#actions), byId('help-keys'));
    void import('./legend-view.js').then(({ legendView }) => render(legendView(), byId('legend')));
    /** @type {HTMLDialogElement} */ (byId('help')).showModal();
  }

  #switchTheme() {
    toggleTheme();
    this.#nameTheme();
    this.#changed();
  }

  #nameTheme() {
    byId('theme-toggle').textContent = theme() === 'dark' ? t`Light` : t`Dark`;
  }

  #present() {
    const on = document.documentElement.classList.toggle('present');
    document.body.classList.toggle('present', on);
    byId('present-toggle').textContent = on ? t`Stop presenting` : t`Present`;
    void fillScreen(on);
    this.#changed();
  }
}

const presents = () => document.body.classList.contains('present');

/** A browser need not let the page have the whole screen; then its window is what there is. @param {boolean} on */
async function fillScreen(on) {
  if (on) await document.documentElement.requestFullscreen?.().catch(() => {});
  else if (document.fullscreenElement) await document.exitFullscreen();
}

/** The keys of a page and what they do. @param {Actions} actions */
const keysView = (actions) => actions.names.filter((name) => actionWords[name].key).map((name) =>
  html`<dt><kbd>${keyName(actionWords[name].key)}</kbd></dt><dd>${actionWords[name].title}</dd>`);
