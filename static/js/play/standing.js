// Where a viewer stands: at an instant of a run, with something open and chosen, beside a
// lesson. Whatever moves a viewer goes through here: a key, a link, the address, a presenter.

import { milliseconds } from '../text/format.js';
import { t } from '../text/language.js';
import { goTo, readPlace, writePlace } from './address.js';
import { keyOf, subjectOfKey } from './subject.js';

/** @import { Run } from '../events.d.ts' */
/** @import { By, Place } from './address.js' */
/** @import { Playback } from './playback.js' */
/** @import { Subject } from './shown.d.ts' */

/**
 * What is open beside the run.
 * @typedef {object} Open
 * @property {string} word that says it
 * @property {(word: string) => void} restore opens and closes what such a word says
 * @property {(panel: 'inspector') => void} bring opens a panel and brings it into sight
 */

/**
 * What only some pages have.
 * @typedef {object} Ways
 * @property {(place: Place) => void} [turn] shows the lesson and takes up the scenario, where the page has a course
 * @property {(place: Place) => Promise<boolean>} [reach] brings the run of a link; says whether that is here
 */

export class Standing {
  /** What is open, once the page has something to open. @type {Open | undefined} */ open;
  /** @type {Ways} */ ways = {};
  /** Whether the viewer has come to the page by a link to an instant. */ linked = false;
  /** @type {() => { run: Run | null | undefined, playback: Playback }} */ #played;
  /** @type {() => void} */ #changed;
  /** What is chosen, and in which run. @type {{ subject: Subject | undefined, of: Playback } | undefined} */ #chosen;

  /** @param {() => { run: Run | null | undefined, playback: Playback }} played @param {() => void} changed called after each move */
  constructor(played, changed) {
    this.#played = played;
    this.#changed = changed;
  }

  /** What is chosen in the run that is shown. */
  get subject() {
    return this.#chosen?.of === this.#played().playback ? this.#chosen.subject : undefined;
  }

  /** Where the viewer stands now: all that brings it back, or makes the same run again. @returns {Place} */
  get place() {
    const { run, playback } = this.#played();
    const { lesson, scenario } = readPlace(location.hash);
    if (!run) return { lesson, scenario };
    const { at, count } = playback.playhead.instant(performance.now());
    return {
      lesson, scenario: run.scenario, run: run.id, at: Math.round(at), seq: count, panel: this.open?.word ?? '', subject: keyOf(this.subject),
      clients: run.clients, delay: milliseconds(run.delay), seed: run.seed,
    };
  }

  /**
   * Goes to a place; what that does not say stays as it is. Says whether the viewer stands there.
   * @param {Place} place @param {By} by
   */
  async go(place, by) {
    if (place.lesson !== undefined || place.scenario !== undefined) this.ways.turn?.(place);
    if (this.ways.turn) this.#write(place, by);
    if (place.panel !== undefined) this.open?.restore(place.panel);
    if (place.run && !(this.ways.reach ? await this.ways.reach(place) : place.run === this.#played().run?.id)) return false;
    this.#move(place);
    if (place.subject !== undefined) this.#choose(place.subject);
    return true;
  }

  /** Goes on from where the viewer stands: on, back, or by itself. @param {(playback: Playback, here: number) => void} move */
  travel(move) {
    this.#played().playback.travel(move, performance.now());
    this.#changed();
  }

  /** Has the events from an instant on loaded, where the log begins later. @param {number} at */
  loadFrom(at) {
    const { playhead } = this.#played().playback;
    if (playhead.wanted) return;
    playhead.wanted = { at, go() {} };
    this.#changed();
  }

  /** @param {Subject | undefined} subject */
  select(subject) {
    this.#chosen = { subject, of: this.#played().playback };
    this.#changed();
  }

  /** Shows it in full. @param {Subject} subject */
  inspect(subject) {
    this.select(subject);
    this.open?.bring('inspector');
  }

  /**
   * Puts a link to where the viewer stands into the clipboard, or into the bar of addresses
   * where that is forbidden. Returns a sentence that says which.
   */
  async copyLink() {
    const hash = writePlace(this.place);
    const copied = await navigator.clipboard?.writeText(new URL(hash, location.href).href).then(() => true, () => false);
    if (!copied) history.replaceState(null, '', hash);
    return copied ? t`A link to this moment is in the clipboard.` : t`The address of the page is a link to this moment now.`;
  }

  /** The address has the lesson and the scenario, or the step of the tour. @param {Place} place @param {By} by */
  #write({ lesson, scenario, tour }, by) {
    const now = readPlace(location.hash);
    if (tour) goTo({ tour }, by);
    else if (lesson !== undefined || scenario !== undefined) goTo({ lesson: lesson ?? now.lesson, scenario: scenario ?? now.scenario }, by);
  }

  /** @param {Place} place */
  #move({ live, at, seq }) {
    if (live) this.travel(({ playhead }) => playhead.live());
    else if (at !== undefined) this.travel(({ playhead }, here) => playhead.seek(at, here, seq || undefined));
    else if (seq) this.travel(({ playhead }) => playhead.seekEvent(seq - 1));
  }

  /** Chooses what a key is of, if that is in the run. @param {string} key */
  #choose(key) {
    const subject = subjectOfKey(key);
    this.select(this.#played().playback.view.lanes.some(({ info }) => info.name === subject?.lane) ? subject : undefined);
  }
}
