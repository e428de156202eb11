// One run in time: its log as it comes, and the view of the instant where the visitor
// stands. A live run and a recording are played alike; only who hands over the events
// differs.

import { EventLog } from '../log/event-log.js';
import { Replay } from '../log/replay.js';
import { addMarks, neighbour } from '../model/marks.js';
import { createView } from '../model/view.js';
import { Clock } from './clock.js';
import { Playhead } from './playhead.js';

/** @import { Event } from '../events.d.ts' */
/** @import { Mark } from '../model/marks.js' */
/** @import { LaneInfo } from '../types.d.ts' */

/** Whether an event changes what is seen: heartbeats and the observer's own questions do not. @param {Event | undefined} event */
const shows = (event) => event?.op !== 'ping' && event?.kind !== 'tree.synced';

export class Playback {
  clock = new Clock();
  log = new EventLog();
  /** @type {Mark[]} what a visitor may want to go to */ marks = [];
  playhead = new Playhead(this.clock, this.log);
  /** The event with which the clients were told to stop. @type {number | undefined} */ #stopping;
  /** @type {Replay} */ #replay;

  /** @param {LaneInfo[]} lanes of the run @param {number} clients in each */
  constructor(lanes, clients) {
    this.#replay = new Replay(this.log, createView(lanes, clients));
  }

  /** The run as it is where the visitor stands. */
  get view() {
    return this.#replay.view;
  }

  /** How many events are folded into the view. */
  get count() {
    return this.#replay.count;
  }

  /** Whether the view goes on without anybody's doing: time passes, and there are events to come. */
  get advances() {
    const { mode } = this.playhead;
    return mode === 'playing' || (mode === 'live' && this.count < this.log.length);
  }

  /**
   * Takes events over, and the time by them.
   * @param {Event[]} events consecutive, following those before
   * @param {number} here performance.now()
   */
  take(events, here) {
    this.log.append(events);
    this.#stopping ??= events.find(({ kind }) => kind === 'note.stopping')?.seq;
    addMarks(this.marks, events, this.#stopping);
    this.clock.observe(this.log.end, here);
    if (this.clock.stopped || events.some(({ kind }) => kind === 'note.finished')) this.clock.stop(this.log.end);
  }

  /** The run is over: nothing comes any more. @param {number} [at] when that was, if it was after the newest event */
  finish(at = 0) {
    this.clock.stop(Math.max(at, this.log.end));
  }

  /**
   * Makes the view that of the instant where the visitor stands now, and returns
   * that. Nothing later is folded.
   * @param {number} here performance.now()
   */
  advance(here) {
    const { at, count } = this.playhead.instant(here);
    this.#replay.moveTo(count);
    return at;
  }

  /** Goes to the next event that the picture shows, or the one before. @param {1 | -1} direction @param {number} here performance.now() */
  stepEvent(direction, here) {
    let index = this.playhead.instant(here).count - 1;
    do index += direction; while (this.log.event(index) && !shows(this.log.event(index)));
    if (index < 0) this.playhead.seek(0, here);
    else this.playhead.seekEvent(index);
  }

  /** Goes to the next mark, or the one before. @param {1 | -1} direction @param {number} here performance.now() */
  stepMark(direction, here) {
    const mark = neighbour(this.marks, this.playhead.instant(here).count - 1, direction);
    if (mark) this.playhead.seekEvent(mark.index);
    else if (direction > 0) this.playhead.live();
    else this.playhead.seek(0, here);
  }
}
