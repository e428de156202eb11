// The visitor's hand on the network: commands of step mode, and the script that
// they have made so far.

import { listSteps, Refused, step } from './api.js';

/** @import { Command } from './api.js' */
/** @import { StepSpec } from './types.d.ts' */

const ROOM = 'main';

export class StepControl {
  /** @type {StepSpec[][]} the steps done so far, in groups that were done as one */ script = [];
  /** @type {Set<string>} the frames that were delivered or dropped by hand */ #asked = new Set();

  /** A new run begins: nothing has been done. */
  forget() {
    this.script = [];
    this.#asked.clear();
  }

  /**
   * Does one step and says whether the network is held afterwards, or undefined
   * when it is not known. A frame that is asked for again, before its first step
   * has been seen, is left alone.
   * @param {Command} command
   */
  async do(command) {
    const frame = command.frame ? `${command.lane} ${command.client} ${command.dir} ${command.frame}` : '';
    if (this.#asked.has(frame)) return undefined;
    if (frame) this.#asked.add(frame);
    try {
      const answer = await step(ROOM, command);
      await this.#read();
      return answer.step;
    } catch (failure) {
      this.#asked.delete(frame);
      throw failure;
    }
  }

  /** Learns what another hand has done. The old script stays if the server refuses. */
  async learn() {
    await this.#read().catch((failure) => { if (!(failure instanceof Refused)) throw failure; });
  }

  async #read() {
    this.script = (await listSteps(ROOM)).script ?? [];
  }
}
