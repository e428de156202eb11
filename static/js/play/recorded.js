// A recording as it is played: from its beginning at once, while the rest is read.

import { BadRecording, recordingParts } from '../log/recording.js';
import { t } from '../text/language.js';
import { Playback } from './playback.js';

/** @import { Event, Run } from '../events.d.ts' */

export class Recorded {
  /** @type {Run} */ run;
  /** @type {Playback} */ playback;
  /** @type {AsyncGenerator<{ events: Event[] }>} */ #rest;

  /** @param {{ run: Run, events: Event[] }} beginning @param {AsyncGenerator<{ events: Event[] }>} rest */
  constructor({ run, events }, rest) {
    this.run = { ...run, state: 'finished', step: false };
    this.playback = new Playback(run.lanes, run.clients, run.decisive);
    this.playback.takePart(events, performance.now());
    this.#rest = rest;
  }

  /**
   * Reads the beginning.
   * @param {AsyncIterable<string>} text of a recording
   * @throws {BadRecording}
   */
  static async begin(text) {
    const parts = recordingParts(text);
    const beginning = await parts.next();
    return new Recorded(/** @type {{ run: Run, events: Event[] }} */ (beginning.value), parts);
  }

  /**
   * Reads the rest; between its parts the page does what else there is to do.
   * @param {() => void} changed called after each part
   * @returns {Promise<string>} why some of it cannot be read, or empty
   */
  async readOn(changed) {
    try {
      for await (const { events } of this.#rest) {
        this.playback.takePart(events, performance.now());
        changed();
        await otherTasks();
      }
      return '';
    } catch (failure) {
      return t`${explain(failure)} What comes before that is shown.`;
    } finally {
      this.playback.finish(performance.now());
      changed();
    }
  }

  /** Reads no more. */
  close() {
    void this.#rest.return(undefined);
  }
}

/** @param {unknown} failure of what brings a recording, or of what reads it */
function explain(failure) {
  if (failure instanceof BadRecording) return failure.message;
  if (failure instanceof TypeError) return t`The connection broke.`;
  throw failure;
}

/** Lets the page do what else there is to do; a timer would wait longer in a page that is hidden. @returns {Promise<void>} */
function otherTasks() {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage('');
  });
}
