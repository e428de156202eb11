// The visitor's hand on the network: commands of step mode, and the script that
// they have made so far.

import { place, step } from '../../source/api.js';

/** @import { Command } from '../../source/api.js' */
/** @import { StepSpec, Steps } from '../../types.d.ts' */

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
      return (await step(place.room, command)).step;
    } catch (failure) {
      this.#asked.delete(frame);
      throw failure;
    }
  }

  /** Learns what has been done, by whichever hand. @param {Steps} steps */
  learn({ from, script }) {
    this.script = [...this.script.slice(0, from), ...script];
  }
}
