// What the picture and the panels are drawn from: an instant of a run. Nothing of it
// is changed by drawing.
import type { Run } from '../events.d.ts';
import type { EventLog } from '../log/event-log.js';
import type { View } from '../model/view.js';
import type { Mode } from '../play/playhead.js';
import type { Catalogue } from '../text/catalogue.js';

/** A client, or a znode when path is set. */
export interface Subject {
  lane: string;
  client: number;
  path: string;
}

export interface Frame {
  run: Run | null | undefined;
  /** The run as it was at that instant. */
  view: View;
  /** In microseconds of the run. */
  at: number;
  mode: Mode;
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
