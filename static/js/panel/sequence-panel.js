// The sequence diagram in its panel, of one lane at a time. It folds the log for
// itself while it is open: nobody else needs what it makes of it.

import { html, nothing, render } from '../lit.js';
import { createSequence, extend } from '../model/sequence.js';
import { titleOf } from '../text/format.js';
import { t } from '../text/language.js';
import { SequenceView } from '../view/sequence-view.js';
import { subjectOfItem } from '../view/subject.js';

/** @import { EventLog } from '../log/event-log.js' */
/** @import { TimeScale } from '../play/time-scale.js' */
/** @import { Frame, Subject } from '../view/frame.d.ts' */

/**
 * @typedef {object} SequenceActions
 * @property {(subject: Subject) => void} select
 * @property {(subject: Subject) => void} inspect opens the inspector
 * @property {(at: number) => void} seek
 * @property {() => void} redraw asks for another frame
 */

/** A long log is folded in pieces of so many events, one for each frame. */
const PIECE = 20_000;

export class SequencePanel {
  /** @type {SequenceActions} */ #actions;
  /** @type {HTMLElement} */ #choice;
  /** @type {SequenceView} */ #diagram;
  /** @type {EventLog | undefined} the one that is folded */ #log;
  #sequence = createSequence([]);
  #folded = 0;
  #lane = '';

  /** @param {HTMLElement} panel @param {SequenceActions} actions */
  constructor(panel, actions) {
    this.#actions = actions;
    this.#choice = document.createElement('div');
    this.#choice.className = 'sequence-choice';
    const host = document.createElement('div');
    host.className = 'sequence-host';
    panel.append(this.#choice, host);
    this.#diagram = new SequenceView(host, {
      seek: actions.seek, redraw: actions.redraw,
      select: (item) => {
        const subject = subjectOfItem(this.#lane, item);
        if (subject) actions.select(subject);
      },
    });
  }

  /** @param {Frame} frame @param {TimeScale} scale the timeline's */
  draw(frame, scale) {
    this.#fold(frame);
    const { lanes } = frame.view;
    if (!lanes.some(({ info }) => info.name === this.#lane)) this.#lane = lanes[0]?.info.name ?? '';
    render(this.#choiceView(frame), this.#choice);
    const { selection } = frame;
    this.#diagram.draw({
      sequence: this.#sequence, lane: this.#lane, scale, at: frame.at, live: frame.mode === 'live',
      catalogue: frame.catalogue, reducedMotion: frame.still,
      ...(selection?.lane === this.#lane && { selection }),
    });
  }

  /** @param {Frame} frame */
  #fold({ log, view, catalogue }) {
    if (log !== this.#log) {
      this.#log = log;
      this.#folded = 0;
      this.#sequence = createSequence(view.lanes.map(({ info }) => info), (fault) => catalogue.fault(fault).lasts);
    }
    const piece = log.slice(this.#folded, this.#folded + PIECE);
    extend(this.#sequence, piece);
    this.#folded += piece.length;
    if (this.#folded < log.length) this.#actions.redraw();
  }

  /** @param {Frame} frame */
  #choiceView({ view, selection }) {
    const { lanes } = view;
    return html`<div class="lane-choice">
      ${lanes.length < 2 ? nothing : html`<div role="group" aria-label=${t`Lane of the diagram`}>${lanes.map(({ info }) => html`
        <button type="button" class="tool" aria-pressed=${String(info.name === this.#lane)} @click=${() => this.#turnTo(info.name)}>${
          titleOf(info).name}</button>`)}</div>`}
      <button type="button" class="tool" ?disabled=${!selection} title=${t`What is chosen, in full`}
        @click=${() => selection && this.#actions.inspect(selection)}>${t`Inspect`}</button>
    </div>`;
  }

  /** @param {string} lane */
  #turnTo(lane) {
    this.#lane = lane;
    this.#actions.redraw();
  }
}
