// The sequence view of the stage: the diagrams of all lanes, which show the same part of
// the run. It folds the log for itself while it is shown: nobody else needs what it makes of it.

import { html, nothing, render, repeat } from '../../lit.js';
import { byConcern } from '../../model/concerns.js';
import { createSequence, extend } from '../../model/sequence.js';
import { titleOf } from '../../text/format.js';
import { t } from '../../text/language.js';
import { legend } from './legend.js';
import { Sight } from './sight.js';
import { SequenceView } from './lane.js';
import { subjectOfItem } from '../../play/subject.js';

/** @import { EventLog } from '../../log/event-log.js' */
/** @import { Lane } from '../../model/view.js' */
/** @import { TimeScale } from '../../play/time-scale.js' */
/** @import { Shown, Subject } from '../../play/shown.d.ts' */
/** @import { DiagramFrame } from './lane.js' */

/**
 * @typedef {object} SequenceActions
 * @property {(subject: Subject) => void} select
 * @property {(subject: Subject) => void} inspect opens the inspector
 * @property {(at: number) => void} seek
 * @property {() => void} redraw asks for another frame
 */

/** A long log is folded in pieces of so many events, one for each frame. */
const PIECE = 20_000;
/** So many milliseconds lie at least between two texts of what is in sight. */
const TEXT_PAUSE = 1000;

/** A lane's diagram. @typedef {{ diagram: SequenceView, open: boolean, order: number[], orderOf: string }} Drawn open: all of many clients have a row; order: of them, as it was last at a standstill */

export class SequenceLanes {
  /** @type {HTMLElement} */ #host;
  /** @type {SequenceActions} */ #actions;
  /** @type {Sight} */ #sight;
  /** @type {EventLog | undefined} the one that is folded */ #log;
  /** @type {Map<string, Drawn>} */ #lanes = new Map();
  #sequence = createSequence([]);
  #folded = 0;
  #read = '';
  #textAt = -Infinity;

  /** @param {HTMLElement} host @param {SequenceActions} actions */
  constructor(host, actions) {
    this.#host = host;
    this.#actions = actions;
    this.#sight = new Sight(actions.redraw);
  }

  /** @param {Shown} frame @param {TimeScale} scale the timeline's */
  draw(frame, scale) {
    this.#fold(frame);
    const { lanes } = frame.view;
    render(this.#view(frame, scale), this.#host);
    for (const each of lanes) {
      const shown = this.#laneOf(each.info.name);
      shown.diagram.draw(this.#diagramFrame(frame, scale, each, shown));
    }
    render(this.#view(frame, scale), this.#host); // with what the diagrams have found
  }

  /** @param {Shown} frame @param {TimeScale} scale @param {Lane} lane @param {Drawn} [shown] @returns {DiagramFrame} */
  #diagramFrame(frame, scale, lane, shown = this.#laneOf(lane.info.name)) {
    const { at, mode, catalogue, selection } = frame;
    const { name } = lane.info;
    return {
      sequence: this.#sequence, lane: name, scale, at, live: mode === 'live', catalogue,
      clients: (all, fit) => this.#order(frame, lane, shown, all, fit),
      ...(selection?.lane === name && { selection }),
    };
  }

  /** Which clients have a row: where not all do, those first who matter where the visitor stands. @param {Shown} frame @param {Lane} lane @param {Drawn} shown @param {number} all @param {number} fit */
  #order({ mode, count, view, run, log }, lane, shown, all, fit) {
    const every = Array.from({ length: all }, (_, index) => index + 1);
    if (all <= fit || shown.open) return every;
    const of = mode === 'paused' ? `${run?.id} ${count}` : shown.orderOf || `${run?.id}`;
    if (of !== shown.orderOf) {
      const last = log.event(count - 1);
      const own = last?.lane === lane.info.name && last.client ? [last.client] : [];
      Object.assign(shown, { orderOf: of, order: [...own, ...byConcern(lane, view.instants.find(({ seq }) => seq === count))] });
    }
    return [...new Set([...shown.order, ...every])].filter((client) => client <= all).slice(0, fit);
  }

  /** @param {string} name @returns {Drawn} */
  #laneOf(name) {
    const shown = this.#lanes.get(name);
    if (shown) return shown;
    const diagram = new SequenceView(/** @type {HTMLElement} */ (this.#host.querySelector(`[data-diagram="${CSS.escape(name)}"]`)), this.#sight, {
      seek: this.#actions.seek, redraw: this.#actions.redraw,
      select: (item) => {
        const subject = subjectOfItem(name, item);
        if (subject) this.#actions.select(subject);
      },
      read: (words) => {
        this.#read = words;
        this.#actions.redraw();
      },
    });
    const made = { diagram, open: false, order: [], orderOf: '' };
    this.#lanes.set(name, made);
    return made;
  }

  /** @param {Shown} frame */
  #fold({ log, view, catalogue }) {
    if (log !== this.#log) {
      this.#log = log;
      this.#folded = 0;
      this.#sequence = createSequence(view.lanes.map(({ info }) => info), (fault) => catalogue.fault(fault).lasts);
      this.#sight.forget();
      this.#lanes.clear();
      render(nothing, this.#host); // the lanes get elements of their own
    }
    const piece = log.slice(this.#folded, this.#folded + PIECE);
    extend(this.#sequence, piece);
    this.#folded += piece.length;
    if (this.#folded < log.length) this.#actions.redraw();
  }

  /** @param {Shown} frame @param {TimeScale} scale */
  #view(frame, scale) {
    const { view: { lanes }, selection } = frame;
    const sight = this.#sight;
    const [first] = lanes;
    const whole = first && this.#lanes.size ? this.#diagramFrame(frame, scale, first) : undefined;
    return html`<div class="sequence-tools">
        <button type="button" class="tool" aria-label=${t`Show more time`} @click=${() => whole && sight.zoom(whole, 1.5)}>−</button>
        <button type="button" class="tool" aria-label=${t`Show less time`} @click=${() => whole && sight.zoom(whole, 1 / 1.5)}>+</button>
        <button type="button" class="tool" @click=${() => whole && sight.fit(whole)}>${t`Whole run`}</button>
        <button type="button" class="tool" aria-pressed=${String(sight.follows)} @click=${() => sight.toggle('follows')}>${t`Follow`}</button>
        <button type="button" class="tool" aria-pressed=${String(sight.pings)} @click=${() => sight.toggle('pings')}>${t`Pings`}</button>
        <button type="button" class="tool" ?disabled=${!selection} title=${t`What is chosen, in full`}
          @click=${() => selection && this.#actions.inspect(selection)}>${t`Inspect`}</button>
        <p class="sequence-readout" aria-live="polite">${this.#read}</p>
      </div>
      <div class="sequence-lanes">${repeat(lanes, ({ info }) => info.name, ({ info }) => html`<section class="sequence-lane" aria-label=${titleOf(info).name}>
        <div class="sequence-head"><h2>${titleOf(info).name} <span>${titleOf(info).about}</span></h2>${this.#moreView(info.name)}</div>
        <div class="sequence-host" data-diagram=${info.name}></div></section>`)}</div>
      <details class="sequence-legend"><summary>${t`What the shapes mean`}</summary>${legend()}</details>
      <details class="sequence-twin" @toggle=${this.#actions.redraw}><summary>${t`What is in sight, in words`}</summary>${this.#twin(lanes)}</details>`;
  }

  /** How many clients have no row, as a button that gives each one. @param {string} name */
  #moreView(name) {
    const shown = this.#lanes.get(name);
    if (!shown || !(shown.open || shown.diagram.folded)) return nothing;
    const { folded } = shown.diagram;
    return html`<button type="button" class="tool" aria-expanded=${String(shown.open)} @click=${() => {
      shown.open = !shown.open;
      this.#actions.redraw();
    }}>${shown.open ? t`Fewer clients` : t`${folded} more client|${folded} more clients`}</button>`;
  }

  /** @type {unknown} */ #words = nothing;

  /** What is in sight, in words, while they are open. @param {Lane[]} lanes */
  #twin(lanes) {
    if (!(/** @type {HTMLDetailsElement | null} */ (this.#host.querySelector('.sequence-twin'))?.open)) return nothing;
    if (performance.now() - this.#textAt < TEXT_PAUSE) return this.#words;
    this.#textAt = performance.now();
    this.#words = lanes.map(({ info }) => html`<h3>${titleOf(info).name}</h3><div class="sequence-text">${this.#lanes.get(info.name)?.diagram.words()}</div>`);
    return this.#words;
  }
}
