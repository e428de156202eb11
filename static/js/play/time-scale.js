// Where an instant of the run lies on a line as wide as the run: time is even on it.

/** @import { EventLog } from '../log/event-log.js' */

export class TimeScale {
  /** The last instant of the line, in microseconds of the run. */ end;
  /** Where the log begins, from 0 to 1: the part before that has not been loaded. */ begin;

  /** @param {EventLog} log @param {number} end the last instant of the line */
  constructor(log, end) {
    this.end = Math.max(1, Math.round(end));
    this.begin = log.start ? this.x(log.begin) : 0;
  }

  /** Where an instant lies, from 0 to 1. @param {number} at */
  x(at) {
    return Math.min(1, Math.max(0, at / this.end));
  }

  /** The instant at a place, to a microsecond. @param {number} x from 0 to 1 */
  at(x) {
    return Math.round(Math.min(1, Math.max(0, x)) * this.end);
  }
}
