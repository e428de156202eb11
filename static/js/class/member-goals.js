// A member of a class tells it which goals it has met, wherever that was: most do their
// exercises in a room of their own.

import { listGoals, meetGoals, Refused } from '../source/api.js';
import { solvedGoals } from '../lesson/progress.js';

export class MemberGoals {
  /** Those that the lessons have: a file of progress may be of another course. @type {Promise<Set<string>> | undefined} */ #known;
  /** @type {Set<string>} */ #told = new Set();
  /** What was told last has arrived. */ #arrived = Promise.resolve();

  /** Tells what is new since the last time. What does not arrive is told again the next time. */
  tell() {
    this.#arrived = this.#arrived.then(() => this.#tell()).catch((failure) => {
      if (!(failure instanceof Refused)) throw failure;
    });
    return this.#arrived;
  }

  async #tell() {
    const met = solvedGoals().filter((goal) => !this.#told.has(goal));
    if (!met.length) return;
    this.#known ??= listGoals().then(({ goals }) => new Set(goals.map(({ key }) => key)));
    const known = await this.#known.catch((failure) => {
      this.#known = undefined;
      throw failure;
    });
    const goals = met.filter((goal) => known.has(goal));
    if (goals.length) await meetGoals(goals);
    for (const goal of met) this.#told.add(goal);
  }
}
