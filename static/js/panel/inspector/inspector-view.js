// The inspector: one client, znode, watch or frame in full, at the instant that is
// shown. What happened to it is read from the log while it is looked at.

import { html, render } from '../../lit.js';
import { LogFold } from '../../log/log-fold.js';
import { createFrameHistory, stepFrameHistory } from '../../model/history/frame.js';
import { awaited, isTraffic } from '../../model/history/requests.js';
import { watchOf } from '../../model/history/watches.js';
import { concernsZnode, createZnodeHistory, stepZnodeHistory } from '../../model/history/znode.js';
import { keepStop } from '../../ui/roving.js';
import { t } from '../../text/language.js';
import { clientView } from './client.js';
import { frameView, watchView } from './message.js';
import { pickerView } from './picker.js';
import { znodeView } from './znode.js';

/** @import { FrameHistory } from '../../model/history/frame.js' */
/** @import { ZnodeHistory } from '../../model/history/znode.js' */
/** @import { Lane } from '../../model/view.js' */
/** @import { ClientActions } from '../../stage/picture/client-view.js' */
/** @import { Shown, Subject } from '../../play/shown.d.ts' */
/** @import { InspectorActions } from './parts.js' */

export class InspectorView {
  /** @type {HTMLElement} */ #panel;
  /** @type {InspectorActions} */ #actions;
  /** @type {(lane: Lane) => ClientActions} */ #breaks;
  /** @type {Shown['log'] | undefined} the log that the folds are of */ #log;
  /** @type {Map<string, LogFold<any>>} of what was looked at last */ #folds = new Map();

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

  /** The line that was marked last. */
  #marked = '';

  /** @param {Shown} frame */
  draw(frame) {
    if (frame.log !== this.#log) this.#folds.clear();
    this.#log = frame.log;
    const seq = frame.log.event(frame.count - 1)?.seq ?? 0;
    render(html`<div class="inspector">${pickerView(frame, this.#actions.select)}${this.#view(frame, seq)}</div>`, this.#panel);
    keepStop(this.#panel.querySelector('.history'));
    this.#bringIntoSight();
  }

  /** Scrolls the panel, and nothing else, to the marked line of a recipe when another one is marked. */
  #bringIntoSight() {
    const [line] = ['.code li.here', '.code li.wrong'].flatMap((marked) => this.#panel.querySelector(marked) ?? []);
    const marked = line?.textContent ?? '';
    if (marked === this.#marked) return;
    this.#marked = marked;
    if (!line) return;
    const [panel, { top, bottom }] = [this.#panel.getBoundingClientRect(), line.getBoundingClientRect()];
    if (top < panel.top) this.#panel.scrollTop += top - panel.top - MARGIN;
    else if (bottom > panel.bottom) this.#panel.scrollTop += bottom - panel.bottom + MARGIN;
  }

  /** @param {Shown} frame @param {number} seq the newest event that had happened */
  #view(frame, seq) {
    const { selection: subject, view, log, count } = frame;
    const lane = view.lanes.find((each) => each.info.name === subject?.lane);
    if (!lane || !subject) return html`<p class="hint">${t`Choose a client, a znode or a watch here or in the picture, a frame in the events or the sequence diagram.`}</p>`;
    const { name } = lane.info;
    if (subject.frame) return this.#frame(frame, lane, subject, seq);
    if (subject.watch) return watchView(frame, lane, this.#watch(name, subject, seq), seq, this.#actions);
    if (subject.path) return znodeView(frame, lane, this.#znode(name, subject.path), seq, this.#actions);
    const client = lane.clients.get(subject.client);
    const awaits = awaited((index) => log.event(index), count, name, subject.client);
    return client && clientView(frame, lane, client, awaits, this.#actions, this.#breaks(lane));
  }

  /** @param {Shown} frame @param {Lane} lane @param {Subject} subject @param {number} seq */
  #frame(frame, lane, { client, frame: number = 0, dir = 'out' }, seq) {
    const { name } = lane.info;
    /** @type {FrameHistory} */
    const history = this.#fold(`frame ${name} ${client} ${dir} ${number}`, (log) =>
      new LogFold(log, (event) => isTraffic(event, name, client), createFrameHistory({ frame: number, dir }), stepFrameHistory));
    const path = history.events[0]?.path;
    return frameView(frame, lane, history, path ? this.#znode(name, path).watches : undefined, seq, this.#actions);
  }

  /** The watch that is meant, or else the one that will be set next. @param {string} lane @param {Subject} subject @param {number} now */
  #watch(lane, { client, path, watch: on = 'data', seq = Infinity }, now) {
    const { watches } = this.#znode(lane, path);
    return watchOf(watches, client, on, Number.isFinite(seq) ? seq : now) ?? watches.all.find((each) => each.client === client && each.on === on);
  }

  /** @param {string} lane @param {string} path @returns {ZnodeHistory} */
  #znode(lane, path) {
    return this.#fold(`znode ${lane} ${path}`, (log) => new LogFold(log, concernsZnode(lane, path), createZnodeHistory(path, (seq) => log.event(seq - 1)), stepZnodeHistory));
  }

  /**
   * @template State
   * @param {string} key
   * @param {(log: Shown['log']) => LogFold<State>} create
   * @returns {State}
   */
  #fold(key, create) {
    const fold = this.#folds.get(key) ?? create(/** @type {Shown['log']} */ (this.#log));
    this.#folds.delete(key);
    this.#folds.set(key, fold);
    for (const oldest of this.#folds.keys()) if (this.#folds.size > KEPT) this.#folds.delete(oldest);
    return fold.state;
  }
}

/** Space between a marked line and the edge, in pixels. */
const MARGIN = 12;

/** A frame needs two: its own and that of its znode. */
const KEPT = 4;
