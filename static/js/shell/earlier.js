// The events before those that a late page has: it shows the present without them, and
// loads them when they are asked for: from the newest state before an instant, or all.

import { BadRecording, parseRecording } from '../log/recording.js';
import { html, nothing, render } from '../lit.js';
import { decompress } from '../source/decompress.js';
import { fixed, grouped, t } from '../text/language.js';
import { fetchEvents, fetchRecording, Refused } from '../source/api.js';

/** @import { Event } from '../events.d.ts' */
/** @import { App } from './app.js' */
/** @import { Playback } from '../play/playback.js' */

export class Earlier {
  /** @type {App} */ #app;
  /** @type {HTMLElement} */ #host;
  /** @type {() => void} */ #changed;
  /** Whose events are being loaded. @type {Playback | undefined} */ #loading;
  /** How much of the recording has come, in bytes. */ #come = 0;
  /** Why they could not be loaded. */ #failed = '';

  /** @param {App} app @param {HTMLElement} host @param {() => void} changed */
  constructor(app, host, changed) {
    this.#app = app;
    this.#host = host;
    this.#changed = changed;
  }

  /** Shows what is missing, and loads it where it is needed. @param {boolean} needed by the open panel */
  draw(needed) {
    const { playback } = this.#app;
    const { log, playhead } = playback;
    if (playback !== this.#loading && !this.#failed && log.start && (needed || playhead.wanted)) void this.#load(playback, needed ? 0 : playhead.wanted?.at);
    this.#host.hidden = !log.start;
    render(log.start ? this.#view(log.start) : nothing, this.#host);
  }

  /** @param {number} missing */
  #view(missing) {
    const events = grouped(missing);
    if (this.#loading === this.#app.playback) return html`<p>${t`The first ${events} events of this run are being loaded: ${fixed(this.#come / 2 ** 20, 1)} MB by now.`}</p>`;
    return html`<p>${this.#failed ? t`The first ${events} events of this run could not be loaded. ${this.#failed}` : t`The first ${events} events of this run are not loaded: you came later.`}
      <button type="button" class="tool" @click=${() => this.#load(this.#app.playback)}>${this.#failed ? t`Try again` : t`Load them`}</button></p>`;
  }

  /** @param {Playback} playback @param {number} [from] the instant from which on they are needed */
  async #load(playback, from = 0) {
    this.#loading = playback;
    this.#come = 0;
    this.#failed = '';
    try {
      if (!(from > 0 && await this.#loadFrom(playback, from))) await this.#loadAll(playback);
    } catch (failure) {
      if (!(failure instanceof Refused || failure instanceof BadRecording || failure instanceof TypeError)) throw failure;
      this.#failed = failure instanceof TypeError ? t`The connection broke.` : failure.message;
    } finally {
      this.#loading = undefined;
      this.#changed();
    }
  }

  /** Says whether that was possible. @param {Playback} playback @param {number} from */
  async #loadFrom(playback, from) {
    const { run } = this.#app;
    const bytes = run && await fetchEvents(run.id, from, playback.log.start);
    if (!bytes) return false;
    let text = '';
    for await (const piece of decompress(bytes.pipeThrough(this.#counter()))) text += piece;
    /** @type {Event[]} */
    const [state, ...events] = text.trim().split('\n').map((line) => JSON.parse(line));
    if (!state?.state) return false;
    const { viewOf } = await import('../log/whole.js');
    playback.prepend(events, performance.now(), viewOf(state, run.lanes, run.clients));
    return true;
  }

  /** @param {Playback} playback */
  async #loadAll(playback) {
    const bytes = await fetchRecording(this.#app.run?.id ?? '');
    if (!bytes) throw new Refused(t`The server has no recording of it.`);
    const { events } = await parseRecording(decompress(bytes.pipeThrough(this.#counter())));
    playback.prepend(events.slice(0, playback.log.start), performance.now());
  }

  /** Counts what comes. @returns {TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>} */
  #counter() {
    return new TransformStream({
      transform: (bytes, controller) => {
        this.#come += bytes.length;
        this.#changed();
        controller.enqueue(bytes);
      },
    });
  }
}
