// One run in time: its log as it comes, and the view of the instant where the visitor
// stands. A live run and a recording are played alike; only who hands over the events
// differs.

import { EventLog } from '../log/event-log.js';
import { ViewAt } from '../log/view-at.js';
import { addMarks, neighbour } from '../model/marks.js';
import { createView } from '../model/view.js';
import { Clock } from './clock.js';
import { Playhead } from './playhead.js';

/** @import { Event, InstantName } from '../events.d.ts' */
/** @import { DecisiveInstant } from '../model/instants.js' */
/** @import { Mark } from '../model/marks.js' */
/** @import { View } from '../model/view.js' */
/** @import { LaneInfo } from '../types.d.ts' */

/** How long the view pauses at a decisive instant while nobody touches the page, in milliseconds. */
export const PAUSE = 8000;
/** Who comes to a decisive instant later than this has missed it, in microseconds: not who was there, on a machine that was busy just then. */
const MISSED = 5e6;
/** How fast the view catches up with a run that has gone on meanwhile. */
const CATCH_UP = 2;

/** Whether an event changes what is seen: heartbeats and the observer's own questions do not. @param {Event | undefined} event */
const shows = (event) => event?.op !== 'ping' && event?.kind !== 'tree.synced';

export class Playback {
  clock = new Clock();
  log = new EventLog();
  /** @type {Mark[]} what a visitor may want to go to */ marks = [];
  playhead = new Playhead(this.clock, this.log);
  /** The event with which the clients were told to stop. @type {number | undefined} */ #stopping;
  /** Whether the view pauses by itself at decisive instants, each time that one comes first. */ pauses = false;
  /** Where it has paused by itself, and until when: performance.now(). @type {(DecisiveInstant & { until: number }) | undefined} */ pausedAt;
  /** @type {Map<InstantName, DecisiveInstant>} the decisive instants that are known */ #instants = new Map();
  /** @type {ViewAt} */ #viewAt;
  /** The view before the first event, where the log begins later. @type {View | undefined} */ #empty;

  /** @param {LaneInfo[]} lanes of the run @param {number} clients in each @param {InstantName[]} [decisive] */
  constructor(lanes, clients, decisive) {
    this.#viewAt = new ViewAt(this.log, createView(lanes, clients, decisive));
  }

  /** The run as it is where the visitor stands. */
  get view() {
    return this.#viewAt.view;
  }

  /** How many events are folded into the view. */
  get count() {
    return this.#viewAt.count;
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

  /**
   * Takes over the next part of a recording, and goes where the visitor wanted to be.
   * @param {Event[]} events consecutive, following those before
   * @param {number} here performance.now()
   */
  takePart(events, here) {
    this.take(events, here);
    this.clock.reach(this.log.end);
    this.#goWhereWanted(here);
  }

  /**
   * Begins with what another page has made of the first events, while there is none here.
   * @param {View} view @param {number} here performance.now()
   */
  goOnFrom(view, here) {
    this.log.beginAfter(view.seq, view.at);
    this.#empty = this.view;
    this.#viewAt = new ViewAt(this.log, view);
    if (!view.counting) this.#stopping = view.seq;
    this.clock.observe(view.at, here);
    if (view.finished) this.clock.stop(view.at);
    this.#noteInstants(view.instants);
  }

  /**
   * Takes over events before those that are here, and goes where the visitor wanted to be.
   * @param {Event[]} events up to those that are here @param {number} here performance.now() @param {View} [view] before them, unless they are all
   */
  prepend(events, here, view = this.#empty) {
    this.log.prepend(events, view?.seq ?? 0, view?.at ?? 0);
    if (view) this.#viewAt.prepend(view);
    /** @type {Mark[]} */
    const marks = [];
    addMarks(marks, events, this.#stopping);
    this.marks = [...marks, ...this.marks].sort((one, other) => one.index - other.index);
    this.#goWhereWanted(here);
  }

  /** @param {number} here performance.now() */
  #goWhereWanted(here) {
    const { wanted } = this.playhead;
    this.playhead.wanted = undefined;
    wanted?.go(here);
  }

  /** The run is over: nothing comes any more. @param {number} here performance.now() @param {number} [at] when that was, if it was after the newest event */
  finish(here, at = 0) {
    const { reading } = this.clock;
    this.clock.end(Math.max(at, this.log.end));
    if (reading) this.#goWhereWanted(here);
  }

  /**
   * Makes the view that of the instant where the visitor stands now, and returns
   * that. Nothing later is folded.
   * @param {number} here performance.now()
   */
  advance(here) {
    if (this.playhead.mode !== 'paused') this.stay();
    if (this.pausedAt && here >= this.pausedAt.until) this.goOn(here);
    const { at, count } = this.playhead.instant(here);
    this.#viewAt.moveTo(count);
    const decisive = this.#newInstants().find((instant) => instant.at > at - MISSED);
    return decisive && this.pauses && this.playhead.mode !== 'paused' ? this.#pauseAt(decisive, here) : at;
  }

  /** Plays on; where it has paused by itself, faster until it is live again. @param {number} here performance.now() */
  goOn(here) {
    this.playhead.play(here, this.pausedAt && !this.clock.stopped ? CATCH_UP : undefined);
    this.stay();
  }

  /** Moves the visitor in time, who takes over where it has paused by itself. @param {(playback: Playback, here: number) => void} move @param {number} here performance.now() */
  travel(move, here) {
    move(this, here);
    this.stay();
  }

  /** Stays where it has paused by itself. */
  stay() {
    this.pausedAt = undefined;
  }

  /** Somebody uses the page where it has paused by itself: it waits for that. @param {number} here performance.now() */
  wait(here) {
    if (this.pausedAt) this.pausedAt.until = here + PAUSE;
  }

  /** Notes the decisive instants that have come into the view for the first time. */
  #newInstants() {
    const { instants } = this.view;
    if (instants.length <= this.#instants.size) return [];
    const found = instants.filter(({ name }) => !this.#instants.has(name));
    this.#noteInstants(found);
    return found;
  }

  /** @param {DecisiveInstant[]} instants */
  #noteInstants(instants) {
    for (const instant of instants) {
      this.#instants.set(instant.name, instant);
      const index = instant.seq - 1;
      this.marks.splice(this.marks.findLastIndex((mark) => mark.index <= index) + 1, 0, { index, at: instant.at, kind: 'decisive', lane: '', client: 0 });
    }
  }

  /** @param {DecisiveInstant} instant @param {number} here performance.now() */
  #pauseAt(instant, here) {
    this.playhead.seek(instant.at, here, instant.seq);
    this.#viewAt.moveTo(instant.seq);
    this.pausedAt = { ...instant, until: here + PAUSE };
    return instant.at;
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
    else if (direction < 0 && this.log.start) this.playhead.wanted = { at: this.log.begin - 1, go: (later) => this.stepMark(direction, later) };
    else if (direction > 0) this.playhead.live();
    else this.playhead.seek(0, here);
  }
}
