// Recordings of runs: opened from a file, by drop or from the server's kept runs, and
// left again for the live run. What reads them is loaded with the first.

import { upgradeRecording } from '../source/api.js';
import { t } from '../text/language.js';

/** @import { Stream } from '../source/live.js' */
/** @import { App } from './app.js' */
/** @import { Ending } from './ending.js' */

export class Recordings {
  /** @type {App} */ #app;
  /** @type {Stream} */ #stream;
  /** @type {Ending} */ #ending;
  /** The newest that was asked for: an older one that comes later is not shown. */ #asked = 0;
  /** What is shown. @type {import('../play/recorded.js').Recorded | undefined} */ #shown;

  /** @param {App} app @param {Stream} stream of the live run @param {Ending} ending */
  constructor(app, stream, ending) {
    this.#ending = ending;
    this.#app = app;
    this.#stream = stream;
  }

  /** Takes up files that are dropped anywhere on the page. @param {Document} page */
  takeDrops(page) {
    page.addEventListener('dragover', (event) => event.dataTransfer?.types.includes('Files') && event.preventDefault());
    page.addEventListener('drop', (event) => {
      const file = event.dataTransfer?.files[0];
      if (!file) return;
      event.preventDefault();
      void this.open(file);
    });
  }

  /** Asks the visitor for a file and shows it. */
  choose() {
    const input = Object.assign(document.createElement('input'), { type: 'file', accept: '.zst,.gz,.ndjson' });
    input.addEventListener('change', () => input.files?.[0] && void this.open(input.files[0]));
    input.click();
  }

  /** Shows a file, or says why that cannot be. @param {File} file */
  async open(file) {
    await this.show(file.stream(), file.name, () => upgradeRecording(file));
  }

  /**
   * Shows a recording instead of the live run, or says why that cannot be, and then
   * nothing has changed. Says whether it is shown, of which the beginning is enough.
   * @param {ReadableStream<Uint8Array>} bytes
   * @param {string} name
   * @param {() => Promise<ReadableStream<Uint8Array>>} [upgrade] to one of today, where it may be older
   * @returns {Promise<boolean>}
   */
  async show(bytes, name, upgrade) {
    const asked = ++this.#asked;
    this.#app.tell(t`Reading ${name}…`);
    const [{ BadRecording, OldRecording }, { Recorded }, { decompress }] = await Promise.all([import('../log/recording.js'), import('../play/recorded.js'), import('../source/decompress.js')]);
    try {
      const recorded = await Recorded.begin(decompress(bytes));
      if (asked !== this.#asked || !await this.#ending.mayLeave()) {
        recorded.close();
        return false;
      }
      this.#stream.close();
      this.#shown?.close();
      this.#shown = recorded;
      this.#app.showRecording(recorded, name);
      void this.#readOn(recorded, name);
      return true;
    } catch (failure) {
      if (failure instanceof OldRecording && upgrade && asked === this.#asked) return this.#showUpgraded(upgrade, name);
      this.#app.tell('');
      if (!(failure instanceof BadRecording)) throw failure;
      if (asked === this.#asked) this.#app.say(t`${name}: ${failure.message}`);
      return false;
    }
  }

  /** @param {import('../play/recorded.js').Recorded} recorded @param {string} name */
  async #readOn(recorded, name) {
    const wrong = await recorded.readOn(() => this.#app.set({}));
    if (wrong && recorded === this.#shown) this.#app.say(t`${name}: ${wrong}`);
  }

  /** @param {() => Promise<ReadableStream<Uint8Array>>} upgrade @param {string} name */
  async #showUpgraded(upgrade, name) {
    let shown = false;
    await this.#app.try(async () => { shown = await this.show(await upgrade(), name); });
    return shown;
  }

  /** Goes back to the live run. */
  leave() {
    this.#asked++;
    this.#shown?.close();
    this.#shown = undefined;
    this.#app.leaveRecording();
    this.#stream.restart();
  }
}
