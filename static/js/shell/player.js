// A run as it is watched: lanes, timeline and panels, drawn from one instant of it.
// The live page and a saved page have this in common. It is the only owner of
// animation frames: whoever changes something asks it for one.

import { nothing, render } from '../lit.js';
import { TimeScale } from '../play/time-scale.js';
import { Actions } from '../ui/actions.js';
import { dockView } from '../ui/dock-view.js';
import { narrow } from '../ui/style.js';
import { clientSubject, keyOf, watchSubject, znodeSubject } from '../play/subject.js';
import { restoreFocus } from '../ui/focus.js';
import { wireKeyboard } from './keyboard.js';
import { byId, Panels } from '../panel/panels.js';
import { PageTools } from './page-tools.js';
import { Views } from '../panel/views.js';
import { keep, reducedMotion, rem, remember } from '../ui/theme.js';

/** @import { Lane } from '../model/view.js' */
/** @import { Playback } from '../play/playback.js' */
/** @import { Standing } from '../play/standing.js' */
/** @import { Catalogue } from '../text/catalogue.js' */
/** @import { Shown, Subject } from '../play/shown.d.ts' */
/** @import { LaneActions } from '../stage/picture/lane-view.js' */
/** @import { Files } from '../timeline/timeline-view.js' */
/** @import { ResultActions } from '../stage/result-view.js' */
/** @import { Run } from '../types.d.ts' */
/** @import { PanelName } from '../panel/panels.js' */
/** @import { RunView } from '../stage/run-view.js' */

/**
 * What is played: the run of the live page, or a recording.
 * @typedef {object} Played
 * @property {Run | null | undefined} run
 * @property {Playback} playback
 * @property {Catalogue} catalogue
 * @property {Standing} standing of who watches it
 * @property {boolean} stepping whether the network is held now, to be let go by hand
 */

/** @typedef {(shown: Shown, scale: TimeScale) => void} DrawPanel */
/** @typedef {(panel: HTMLElement) => Promise<{ draw: DrawPanel }>} LoadPanel */

/**
 * What a page has beside.
 * @typedef {object} Page
 * @property {Partial<Record<PanelName, LoadPanel>>} panels
 * @property {(shown: Shown, here: number) => void} draw its own parts
 * @property {(lane: string) => Pick<LaneActions, 'breakIt' | 'opened'>} faultsOf what can be done to the clients of a lane
 * @property {() => Files | undefined} files where the run can be had, if it can
 * @property {(name: string) => Promise<unknown>} style loads a panel's style sheet
 * @property {() => string} [lesson] which is read
 * @property {() => boolean} [typing] whether the visitor types at a console
 * @property {() => boolean} [follows] whether another page decides where this one stands
 * @property {ResultActions['start']} [startNext] starts what is to be tried after a run, where that can be
 */

/** Under what name it is kept whether the view pauses by itself. */
const PAUSES = 'pauses';
/** The panels that fold the whole log, as the sequence diagram does. @type {(PanelName | '')[]} */
const FOLDING = ['inspector', 'numbers'];
/** How often the clock and the countdowns are drawn when nothing else moves, in milliseconds. */
const IDLE = 200;
/** How often the run is drawn while it goes on before who wants no motion, in milliseconds. */
const CALM = 100;

export class Player {
  actions = new Actions();
  /** @type {Panels} */ panels;
  /** @type {Views} */ views;

  /** @type {Played} */ #played;
  /** @type {Page} */ #page;
  /** What draws a run, once one has been seen. @type {RunView | undefined} */ #runView;
  /** @type {Promise<void> | undefined} */ #loading;
  /** @type {Record<string, DrawPanel>} */ #draws;
  /** Whether the view pauses by itself at the decisive instants of a run. */ pauses = remember(PAUSES) !== 'no';
  #dirty = true;
  #asked = false;
  /** A frame that is asked for later. @type {ReturnType<typeof setTimeout> | undefined} */ #later;
  /** The panel that was open when it was drawn last. @type {PanelName | ''} */ #shown = '';
  /** @type {DrawPanel} */ #drawSequence;

  /** @param {Played} played @param {Page} page */
  constructor(played, page) {
    this.#played = played;
    this.#page = page;
    this.panels = new Panels(byId('panels'),
      ['events', 'words', 'inspector', 'belief', 'numbers', .../** @type {PanelName[]} */ (Object.keys(page.panels))], () => this.change());
    this.views = played.standing.open = new Views(this.panels, () => this.change(), () => narrow.matches);
    const own = /** @type {[PanelName, LoadPanel][]} */ (Object.entries(page.panels)).map(([name, load]) => [name, this.#loaded(name, load)]);
    this.#draws = { ...this.#panelDraws(), ...Object.fromEntries(own) };
    this.#drawSequence = this.#loadedInto(() => byId('sequence'), (host) => this.#loadSequence(host));
    this.actions.add(this.#timeActions());
    this.actions.add(this.#panelActions());
    this.actions.add(this.#laneChoices());
    const tools = new PageTools(this.actions, () => this.change());
    this.actions.add(tools.actions());
    wireKeyboard(this.actions, () => page.typing?.() ?? false);
    for (const hand of ['pointerdown', 'keydown', 'wheel']) addEventListener(hand, () => this.#played.playback.wait(performance.now()), { passive: true });
    setInterval(() => (this.#played.run?.state === 'running' || this.#played.playback.pausedAt) && this.change(), IDLE);
  }

  /** Asks for a frame: something is to be drawn anew. */
  change() {
    this.#dirty = true;
    this.#ask();
  }

  /** Whether what is open needs events that are not loaded. */
  get missesEvents() {
    return this.#played.playback.log.start > 0 && (this.views.shown === 'sequence' || FOLDING.includes(this.panels.open));
  }

  #switchPauses() {
    this.pauses = !this.pauses;
    keep(PAUSES, this.pauses ? 'yes' : 'no');
    this.change();
  }

  /** Asks for a frame because the run goes on: not at once where nothing is to move. */
  goOn() {
    if (reducedMotion()) this.#later ??= setTimeout(() => this.change(), CALM);
    else this.change();
  }

  /** Which lane is in front. */
  get front() {
    return this.#runView?.front ?? 0;
  }

  /** Whether a run is drawn. */
  get drawsRun() {
    return Boolean(this.#runView && this.#played.run);
  }

  /** Loads what draws a run, once. A playground that goes away leaves nobody to load it from: then the next frame asks again. */
  loadRun() {
    return this.#loading ??= Promise.all([import('../stage/run-view.js'), this.#page.style('run')]).then(([{ RunView }]) => {
      this.#runView = new RunView(this, this.#played, this.#page);
      this.change();
    }, () => { this.#loading = undefined; });
  }

  #ask() {
    if (!this.#asked) requestAnimationFrame(() => this.#frame());
    this.#asked = true;
  }

  #frame() {
    this.#asked = false;
    clearTimeout(this.#later);
    this.#later = undefined;
    const here = performance.now();
    const { playback } = this.#played;
    playback.pauses = this.pauses && !this.#page.follows?.();
    const folded = playback.count;
    const shown = this.#frameAt(playback.advance(here));
    if (playback.count !== folded) this.#dirty = true;
    const drawn = this.#dirty || playback.playhead.mode === 'playing';
    this.#dirty = false; // what is drawn may ask for another frame
    if (drawn) this.#draw(shown, here);
    restoreFocus();
    if (this.#runView?.fly(shown) || playback.advances) {
      if (shown.still) this.goOn();
      else this.#ask();
    }
  }

  /** What there is to draw of an instant. @param {number} at @returns {Shown} */
  #frameAt(at) {
    const { run, playback, catalogue, standing, stepping } = this.#played;
    return {
      run, at, catalogue, stepping, view: playback.view, log: playback.log, count: playback.count,
      mode: playback.playhead.mode, sought: playback.playhead.sought, pausedUntil: playback.pausedAt?.until, selection: standing.subject, unit: rem(), still: reducedMotion(),
    };
  }

  /** @param {Shown} shown @param {number} here performance.now() */
  #draw(shown, here) {
    if (shown.run && !this.#runView) void this.loadRun();
    document.body.classList.toggle('idle', !this.drawsRun);
    document.body.classList.toggle('stepping', shown.stepping);
    const { clock, playhead } = this.#played.playback;
    render(narrow.matches ? dockView(shown.mode, clock.stopped, this.actions) : nothing, byId('dock'));
    const scale = new TimeScale(shown.log, playhead.present(here));
    if (this.#runView?.draw(shown, scale, here)) this.#later ??= setTimeout(() => this.change(), IDLE);
    this.#page.draw(shown, here);
    if (!this.missesEvents) {
      if (this.panels.open) this.#draws[this.panels.open]?.(shown, scale);
      if (this.views.shown === 'sequence' && this.drawsRun) this.#drawSequence(shown, scale);
    }
    if (this.#shown !== this.panels.open) this.#turnTo(this.panels.open);
  }

  /** Another panel is open, or none: where the page is one column, it comes into sight. @param {PanelName | ''} panel */
  #turnTo(panel) {
    this.#shown = panel;
    if (panel && narrow.matches) this.panels.scrollTo('nearest');
  }

  /** @returns {Record<string, DrawPanel>} */
  #panelDraws() {
    const actions = this.#standingActions();
    return {
      events: this.#loaded('events', async (panel) => {
        const { EventsView } = await import('../panel/events/events-view.js');
        const events = new EventsView(panel, this.#played.catalogue, actions);
        return { draw: (shown) => events.update(shown) };
      }),
      words: this.#loaded('words', async (panel) => {
        const { wordsView } = await import('../panel/words/words-view.js');
        return { draw: (shown) => render(wordsView(shown, actions), panel) };
      }),
      inspector: this.#loaded('inspector', async (panel) => {
        const [{ InspectorView }] = await Promise.all([import('../panel/inspector/inspector-view.js'), this.#page.style('inspector')]);
        return new InspectorView(panel, actions, (lane) => this.laneActions(lane));
      }),
      belief: this.#loaded('belief', async (panel) => {
        const [{ beliefView }] = await Promise.all([import('../panel/belief/belief-view.js'), this.#page.style('belief')]);
        return { draw: ({ view, at, catalogue }) => render(beliefView(view.lanes, at, catalogue), panel) };
      }),
      numbers: this.#loaded('numbers', async (panel) => {
        const [{ NumbersPanel }] = await Promise.all([import('../panel/numbers/numbers-panel.js'), this.#page.style('numbers')]);
        return new NumbersPanel(panel, actions);
      }),
    };
  }

  #standingActions() {
    const { standing } = this.#played;
    return {
      seek: (/** @type {number} */ at) => void standing.go({ at }, 'viewer'), redraw: () => this.change(),
      loadEarlier: () => standing.loadFrom(this.#played.playback.log.begin - 1),
      select: (/** @type {Subject} */ subject) => standing.select(subject), inspect: (/** @type {Subject} */ subject) => standing.inspect(subject),
    };
  }

  /** @param {HTMLElement} host */
  async #loadSequence(host) {
    const [{ SequenceLanes }] = await Promise.all([import('../stage/sequence/sequence-lanes.js'), this.#page.style('sequence')]);
    return new SequenceLanes(host, this.#standingActions());
  }

  /**
   * A panel that is loaded when it is drawn first: what few visitors open does not keep
   * the others waiting.
   * @param {PanelName} name @param {LoadPanel} load @returns {DrawPanel}
   */
  #loaded(name, load) {
    return this.#loadedInto(() => this.panels.element(name), load);
  }

  /** @param {() => HTMLElement} host @param {LoadPanel} load @returns {DrawPanel} */
  #loadedInto(host, load) {
    /** @type {{ draw: DrawPanel } | undefined} */ let view;
    let loading = false;
    return (shown, scale) => {
      if (view) return view.draw(shown, scale);
      if (loading) return;
      loading = true;
      void load(host()).then((loaded) => {
        view = loaded;
        this.change();
      }).finally(() => { loading = false; });
    };
  }

  /** What can be done in a lane. @param {Lane} lane @returns {LaneActions} */
  laneActions({ info: { name } }) {
    const { standing } = this.#played;
    return {
      inspect: (client) => standing.inspect(clientSubject(name, client)),
      chosen: (client) => keyOf(standing.subject) === keyOf(clientSubject(name, client)),
      inspectNode: (path) => standing.inspect(znodeSubject(name, path)),
      inspectWatch: (client, watch) => standing.inspect(watchSubject(name, { client, ...watch })),
      explainChecks: () => this.panels.show('words'),
      ...this.#page.faultsOf(name),
    };
  }

  /** @returns {Parameters<Actions['add']>[0]} */
  #timeActions() {
    const paused = () => this.#played.playback.playhead.mode === 'paused';
    const travel = (/** @type {(playback: Playback, here: number) => void} */ move) => () => this.#played.standing.travel(move);
    return {
      keyMoments: () => this.#switchPauses(),
      pause: { act: travel(({ playhead }, here) => playhead.pause(here)), possible: () => !paused() },
      play: { act: travel((playback, here) => playback.goOn(here)), possible: paused },
      live: () => this.#played.standing.go({ live: true }, 'viewer'),
      eventBack: travel((playback, here) => playback.stepEvent(-1, here)),
      eventOn: travel((playback, here) => playback.stepEvent(1, here)),
      markBack: travel((playback, here) => playback.stepMark(-1, here)),
      markOn: travel((playback, here) => playback.stepMark(1, here)),
      closeResult: { act: () => this.#runView?.result?.close(), possible: () => this.#runView?.result !== undefined },
    };
  }

  /** Before an audience, one lane or all. @returns {Parameters<Actions['add']>[0]} */
  #laneChoices() {
    const show = (/** @type {number} */ index, /** @type {boolean} */ alone) =>
      ({ act: () => this.#runView?.show(index, alone), possible: () => document.body.classList.contains('present') });
    return { firstLane: show(0, true), secondLane: show(1, true), allLanes: show(0, false) };
  }

  /** @returns {Parameters<Actions['add']>[0]} */
  #panelActions() {
    const panels = Object.keys(this.#draws).map((name) => [name, () => this.panels.toggle(/** @type {PanelName} */ (name))]);
    return { ...Object.fromEntries(panels), sequence: () => this.views.show(this.views.shown === 'sequence' ? 'picture' : 'sequence') };
  }
}
