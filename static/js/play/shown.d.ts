// What the picture and the panels are drawn from: an instant of a run. Nothing of it
// is changed by drawing.
import type { Direction, Run } from '../events.d.ts';
import type { EventLog } from '../log/event-log.js';
import type { View } from '../model/view.js';
import type { Mode } from './playhead.js';
import type { Catalogue } from '../text/catalogue.js';

/** A client; a frame of it when frame is set; a watch of it on path when watch is set; a znode when only path is. */
export interface Subject {
  lane: string;
  /** 0 for a znode. */
  client: number;
  path: string;
  /** The number of a frame in its direction. */
  frame?: number;
  dir?: Direction;
  /** What a watch is on. */
  watch?: import('../model/watches.js').WatchedPart;
  /** The watch that was set by this event of the log or is the last before it; without it, the newest. */
  seq?: number;
}

export interface Shown {
  run: Run | null | undefined;
  /** The run as it was at that instant. */
  view: View;
  /** In microseconds of the run. */
  at: number;
  mode: Mode;
  /** The visitor has gone to that instant, and has not been brought there by the run. */
  sought: boolean;
  /** The view has paused by itself at a decisive instant, and goes on at that time: performance.now(). */
  pausedUntil: number | undefined;
  selection: Subject | undefined;
  /** The network is held now, to be let go by hand. */
  stepping: boolean;
  log: EventLog;
  /** How many events of the log had happened. */
  count: number;
  catalogue: Catalogue;
  /** The size of the page's type, in pixels. */
  unit: number;
  /** Nothing may move. */
  still: boolean;
}
