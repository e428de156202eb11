// A run does not end unasked that should not: a single key never ends one at once, and
// whoever takes part in it is told what goes with it. Few are asked, so the question is
// loaded when it is put.

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
    if (!this.#goes || await (await question()).ends(this.#own(), name)) act();
  }

  /** What a button does: only who would lose something is asked. @param {() => unknown} act */
  async byHand(act) {
    if (!this.#goes || !this.#own() || await (await question()).ends(true)) act();
  }

  /** Whether something else may be shown in the place of the run, which goes on without the visitor. */
  async mayLeave() {
    return !this.#goes || !this.#own() || (await question()).leaves();
  }

  get #goes() {
    return this.#app.run?.state === 'running' && !this.#app.recordingName;
  }
}

/** While a question is on its way, keys do nothing: what is typed is not meant for the page. */
export let asking = false;

async function question() {
  asking = true;
  return import('../ui/question.js').finally(() => { asking = false; });
}
