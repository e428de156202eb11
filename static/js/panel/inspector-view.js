// The inspector: one client, znode, watch or frame in full, at the instant that is
// shown. What happened to it is read from the log while it is looked at.

import { html, render } from '../lit.js';
import { LogFold } from '../log/log-fold.js';
import { createFrameHistory, stepFrameHistory } from '../model/history/frame.js';
import { awaited, createRequests, isTraffic, stepRequests } from '../model/history/requests.js';
import { watchOf } from '../model/history/watches.js';
import { concernsZnode, createZnodeHistory, stepZnodeHistory } from '../model/history/znode.js';
import { keepStop } from '../view/roving.js';
import { clientView } from './inspector-client.js';
import { frameView, watchView } from './inspector-frame.js';
import { pickerView } from './inspector-picker.js';
import { znodeView } from './inspector-znode.js';

/** @import { Event } from '../events.d.ts' */
/** @import { Lane } from '../model/view.js' */
/** @import { ClientActions } from '../view/client-view.js' */
/** @import { Frame, Subject } from '../view/frame.d.ts' */
/** @import { InspectorActions } from './inspector-parts.js' */

/**
 * A fold up to the instant that is shown, and one up to the end of the log.
 * @template State @typedef {{ now: State, whole: State }} Both
 */

export class InspectorView {
  /** @type {HTMLElement} */ #panel;
  /** @type {InspectorActions} */ #actions;
  /** @type {(lane: Lane) => ClientActions} */ #breaks;
  /** @type {Frame['log'] | undefined} the log that the folds are of */ #log;
  /** @type {Map<string, [LogFold<any>, LogFold<any>]>} */ #folds = new Map();

  /**
   * @param {HTMLElement} panel
   * @param {InspectorActions} actions
   * @param {(lane: Lane) => ClientActions} breaks what can be done to the clients of a lane
   */
  constructor(panel, actions, breaks) {
    this.#panel = panel;
    this.#actions = actions;
    this.#breaks = breaks;
  }

  /** @param {Frame} frame */
  draw(frame) {
    if (frame.log !== this.#log) this.#folds.clear();
    this.#log = frame.log;
    render(html`<div class="inspector">${pickerView(frame, this.#actions.select)}${this.#view(frame)}</div>`, this.#panel);
    keepStop(this.#panel.querySelector('.history'));
  }

  /** @param {Frame} frame */
  #view(frame) {
    const { selection: subject, view } = frame;
    const lane = view.lanes.find((each) => each.info.name === subject?.lane);
    if (!lane || !subject) return html`<p class="hint">Choose a client, a znode or a watch here or in the picture, a frame in the events or the sequence diagram.</p>`;
    if (subject.frame) return this.#frame(frame, lane, subject);
    if (subject.watch) return this.#watch(frame, lane, subject);
    if (subject.path) {
      const { now, whole } = this.#znode(frame, lane, subject.path);
      return znodeView(frame, lane, now, whole, this.#actions);
    }
    const client = lane.clients.get(subject.client);
    return client && clientView(frame, lane, client, this.#awaits(frame, lane, subject.client), this.#actions, this.#breaks(lane));
  }

  /** @param {Frame} frame @param {Lane} lane @param {Subject} subject */
  #frame(frame, lane, { client, frame: number = 0, dir = 'out' }) {
    const name = { frame: number, dir };
    const { now, whole } = this.#fold(frame, `frame ${lane.info.name} ${client} ${dir} ${number}`,
      (event) => isTraffic(event, lane.info.name, client), () => createFrameHistory(name), stepFrameHistory);
    const path = now.events[0]?.path;
    const watches = path ? this.#znode(frame, lane, path).now.watches : undefined;
    return frameView(frame, lane, now, whole, watches, this.#actions);
  }

  /** @param {Frame} frame @param {Lane} lane @param {Subject} subject */
  #watch(frame, lane, { client, path, watch: on = 'data', seq }) {
    const { now, whole } = this.#znode(frame, lane, path);
    const watch = watchOf(now.watches, client, on, seq);
    const same = watch || seq ? watchOf(whole.watches, client, on, watch?.set.seq ?? seq) : whole.watches.all.find((each) => each.client === client && each.on === on);
    return watchView(frame, lane, watch, same, this.#actions);
  }

  /** @param {Frame} frame @param {Lane} lane @param {string} path */
  #znode(frame, lane, path) {
    return this.#fold(frame, `znode ${lane.info.name} ${path}`,
      (event) => concernsZnode(event, lane.info.name, path), () => createZnodeHistory(path), stepZnodeHistory);
  }

  /** What a client waits for an answer to. @param {Frame} frame @param {Lane} lane @param {number} client */
  #awaits(frame, lane, client) {
    const { now } = this.#fold(frame, `client ${lane.info.name} ${client}`, (event) => isTraffic(event, lane.info.name, client), createRequests, stepRequests);
    return awaited(now);
  }

  /**
   * The folds of the few subjects that were looked at last are kept.
   * @template State
   * @param {Frame} frame
   * @param {string} key
   * @param {(event: Event) => boolean} concerns
   * @param {() => State} create
   * @param {(state: State, event: Event) => void} step
   * @returns {Both<State>}
   */
  #fold({ log, count }, key, concerns, create, step) {
    const known = this.#folds.get(key);
    const [now, whole] = known ?? [new LogFold(log, concerns, create, step), new LogFold(log, concerns, create, step)];
    this.#folds.delete(key);
    this.#folds.set(key, [now, whole]);
    for (const oldest of this.#folds.keys()) if (this.#folds.size > KEPT) this.#folds.delete(oldest);
    const state = now.at(count);
    return { now: state, whole: count < log.length ? whole.at(log.length) : state };
  }
}

/** A frame needs two: its own and that of its znode. */
const KEPT = 4;
