// Which of a run's consoles are this reader's: those of this browser, also before the page
// was loaded anew. In a room with others theirs count for them.

import { keep, remember } from '../ui/theme.js';

/** @import { Event } from '../events.d.ts' */
/** @import { EventLog } from '../log/event-log.js' */

const KEY = 'joined';

export class Consoles {
  #run = '';
  /** The numbers of the events with which they have joined. @type {Set<number>} */ #joined = new Set();
  /** The console that the event was found for. */ #found = '';

  /** How many are known. */
  get count() {
    return this.#joined.size;
  }

  /** Whether who joins is the reader's. A guest is a program that nobody else knows the port of. @param {Event} joined */
  isMine = (joined) => joined.participant === 'guest' || this.#joined.has(joined.seq);

  /**
   * Looks for the event with which the page's console has joined. Says whether there is
   * more known than before.
   * @param {string} run @param {EventLog} log @param {{ lane: string, client: number } | undefined} console
   */
  look(run, log, console) {
    const turned = run !== this.#run;
    if (turned) this.#turn(run);
    const wanted = console?.client ? `${console.lane} ${console.client}` : '';
    if (!wanted || wanted === this.#found) {
      this.#found = wanted;
      return turned;
    }
    const [last] = log.newest(1, ({ kind, lane, client }) => (kind === 'note.joined' || kind === 'note.left') && `${lane} ${client}` === wanted);
    if (last?.kind !== 'note.joined') return turned; // it is on its way
    this.#found = wanted;
    this.#joined.add(last.seq);
    keep(KEY, JSON.stringify({ run, seqs: [...this.#joined] }));
    return true;
  }

  /** @param {string} run */
  #turn(run) {
    this.#run = run;
    this.#found = '';
    const kept = JSON.parse(remember(KEY) ?? '{}');
    this.#joined = new Set(kept.run === run ? kept.seqs : []);
  }
}
