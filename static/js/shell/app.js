// The state of the page and everything that changes it. Drawing is elsewhere.

import { askRoom, listLessons, listScenarios, place, Refused, setDelay, startRun, stopRun } from '../source/api.js';
import { Catalogue } from '../text/catalogue.js';
import { inLanguage, translated } from '../text/language.js';
import { Playback } from '../play/playback.js';
import { Standing } from '../play/standing.js';
import { milliseconds } from '../text/format.js';
import { placeOfChoice } from '../lesson/course.js';
import { StepControl } from '../panel/steps/step-control.js';

/** @import { LessonEntry, Link, Run, Scenario, Server, ZooKeeper } from '../types.d.ts' */

/** @typedef {{ scenario: string, clients: number, delay: number, seed?: number }} Choice delay in milliseconds; seed only where a run is to be repeated */

/** What a run was started with. @param {Run} run @returns {Choice} */
const choiceOf = (run) => ({ scenario: run.scenario, clients: run.clients, delay: milliseconds(run.delay) });

/** A scenario's own settings, as a visitor's choice. @param {Scenario} scenario @returns {Choice} */
const ownChoice = (scenario) =>
  ({ scenario: scenario.name, clients: scenario.clients, delay: milliseconds(scenario.delay) });

export class App {
  /** @type {Link} */ link = 'connecting';
  /** Why the server lets nobody watch: a code and its own words, or empty. */ refused = { code: '', message: '' };
  /** @type {ZooKeeper | undefined} */ zookeeper;
  /** @type {Server[]} */ servers = [];
  /** @type {Run | null | undefined} undefined until the server has said */ run;
  /** @type {Scenario[]} */ scenarios = [];
  /** @type {LessonEntry[]} */ lessons = [];
  /** What the visitor is in the page's room, once the server has said. @type {import('../types.d.ts').Room | undefined} */ room;
  /** What the presenter of a class sees. @type {import('../types.d.ts').Presented | undefined} */ presented;
  /** Grows with each change of the room's judgement; 0 before the first one. */ judged = 0;
  catalogue = new Catalogue();
  /** Whether the servers are the playground's own, to be broken. */ ownServers = false;
  /** @type {Choice} */ choice = { scenario: '', clients: 8, delay: 250 };
  /** The name of the recording that is shown, or empty: then the run is live. */ recordingName = '';
  mostClients = 50;
  notice = '';
  /** What has been done, as a sentence, until it is dismissed. */ news = '';
  /** The run in time; empty while there is none. */ playback = new Playback([], 0);
  stepControl = new StepControl();
  standing = new Standing(() => this, () => this.#changed());

  /** Whether the visitor or the address chose the scenario: another one's run does not replace it. */
  #own = false;
  /** The page itself has asked for a run, or for its end. */ asked = { start: false, stop: false };
  /** @type {() => void} */ #changed;
  /** @type {() => void} */ inform = () => {};
  /** Resolves once the server has said what runs. @type {Promise<void>} */
  informed = new Promise((resolve) => { this.inform = resolve; });

  /** @param {() => void} changed called after every change; it should only ask for a frame */
  constructor(changed) {
    this.#changed = changed;
  }

  /** The run as it is where the visitor stands. */
  get view() {
    return this.playback.view;
  }

  /** The chosen scenario, once the list is here. */
  get scenario() {
    return this.scenarios.find((each) => each.name === this.choice.scenario);
  }

  /**
   * Asks the server what there is to run and to read.
   * @param {string} wanted a scenario's name, or empty for the first
   */
  async load(wanted) {
    if (wanted) this.#choose({ ...this.choice, scenario: wanted }, true);
    await this.try(async () => {
      const [{ scenarios, limits, catalogue, serverFaults }, { lessons }, room] = await Promise.all([listScenarios(), listLessons(), askRoom().catch(noRoom)]);
      if (room) this.enter(room);
      this.scenarios = scenarios.map((each) => ({ ...each, title: translated(each.title), summary: translated(each.summary) }));
      this.lessons = inLanguage(lessons, ({ slug }) => slug).toSorted((a, b) => a.order - b.order);
      this.catalogue = new Catalogue(catalogue);
      this.ownServers = Boolean(serverFaults?.length);
      this.mostClients = limits?.clients ?? this.mostClients;
      if (this.#own) this.pick(wanted);
      if (!this.scenario) this.#chooseUsual();
    });
  }

  /** @param {import('../types.d.ts').Room} room */
  enter(room) {
    this.set({ room });
  }

  /** @param {Partial<Pick<App, 'zookeeper' | 'servers' | 'link' | 'refused' | 'room' | 'presented' | 'judged' | 'run'>>} values */
  set(values) {
    Object.assign(this, values);
    this.#changed();
  }

  /** Whether the visitor's role allows it, as far as is known. @param {'control' | 'break-servers' | 'present' | 'vote' | 'manage'} action */
  may(action) {
    return this.link !== 'gone' && (this.room?.may.includes(action) ?? true);
  }

  /** Takes up a scenario with its own settings. @param {string} name */
  pick(name) {
    const scenario = this.scenarios.find((each) => each.name === name);
    if (scenario) this.#choose(ownChoice(scenario), true);
    this.#changed();
  }

  /** Takes up what a run was started with, to start the same again. @param {{ clients?: number, delay?: number, seed?: number }} settings */
  repeat({ clients, delay = 0, seed }) {
    this.#choose({ ...this.choice, clients: clients || this.choice.clients, delay, seed: seed || undefined }, true);
    this.#changed();
  }

  /** Takes up what runs, or else the scenario to begin with. */
  #chooseUsual() {
    const usual = this.scenarios.find((each) => each.name === 'herd-vs-predecessor') ?? this.scenarios[0];
    if (this.run) this.#choose(choiceOf(this.run), false);
    else if (usual) this.#choose(ownChoice(usual), false);
  }

  /** @param {Choice} choice @param {boolean} own */
  #choose(choice, own) {
    this.choice = choice;
    this.#own = own;
  }

  /** @param {Partial<Choice>} part */
  choose(part) {
    if (part.scenario) {
      this.pick(part.scenario);
      void this.standing.go(placeOfChoice(this), 'viewer');
    }
    if (part.clients !== undefined) this.choice.clients = Math.min(this.mostClients, Math.max(this.fewestClients, part.clients));
    this.#changed();
  }

  /** Where guests can join, they may be all. */
  get fewestClients() {
    return this.room?.guests ? 0 : 1;
  }

  /** Changes the delay, at once when a run is going. @param {number} delay in milliseconds */
  changeDelay(delay) {
    this.choice.delay = delay;
    this.#changed();
    if (this.run?.state === 'running') void this.try(() => this.#slow(this.run, `${delay}ms`));
  }

  /** Whether what runs is what is chosen: a start is a restart, with the same plan. */
  get restarts() {
    return this.run?.state === 'running' && this.run.scenario === this.choice.scenario;
  }

  /**
   * Starts the chosen scenario, or another one. Says whether the server did.
   * @param {import('../source/api.js').Start} [start]
   */
  start(start) {
    void this.standing.go({ live: true }, 'viewer');
    return this.#ask('start', () => startRun(place.room, start ?? this.choiceToStart()));
  }

  /** The source of the run that is chosen to be started again, if a visitor has written it. */
  get source() {
    return this.run?.scenario === this.choice.scenario ? this.run.lanes.find(({ source }) => source)?.source : undefined;
  }

  /** What a start of the choice asks for. @returns {import('../source/api.js').Start} */
  choiceToStart() {
    const { scenario, clients, delay, seed } = this.choice;
    return { scenario, clients, delay: `${delay}ms`, seed: seed ?? (this.restarts ? this.run?.seed : undefined), ...(this.source && { source: this.source }) };
  }

  stop() {
    return this.#ask('stop', () => stopRun(place.room));
  }

  /** Asks for what the stream will tell of: that is no news then. @param {'start' | 'stop'} what @param {() => Promise<unknown>} request */
  async #ask(what, request) {
    this.asked[what] = true;
    const done = await this.try(request);
    if (!done) this.asked[what] = false;
    return done;
  }

  /** Whether the network is held now, to be let go by hand. */
  get stepping() {
    return this.run?.state === 'running' && this.run.step === true;
  }

  /** Does one step by hand. @param {import('../source/api.js').Command} command */
  step(command) {
    void this.standing.go({ live: true }, 'viewer');
    this.asked.start ||= command.do === 'undo';
    return this.try(async () => {
      const held = await this.stepControl.do(command);
      if (held !== undefined && this.run) this.run = { ...this.run, step: held };
    });
  }

  /** Tells the visitor what is wrong; an empty sentence takes it away. @param {string} notice */
  say(notice) {
    this.notice = notice;
    this.#changed();
  }

  /** Tells the visitor what has been done. @param {string} news */
  tell(news) {
    this.news = news;
    this.#changed();
  }

  /**
   * Takes over what a run was started with, and later its delay, unless the
   * choice is another scenario.
   * @param {Run} run
   * @param {boolean} fresh
   */
  follow(run, fresh) {
    const same = run.scenario === this.choice.scenario;
    if (fresh && (same || !this.#own)) this.#choose(choiceOf(run), false);
    if (!fresh && same && run.delay !== this.run?.delay) this.choice.delay = milliseconds(run.delay);
  }

  /** Somebody else has started a run: it is chosen now. @param {Run} run */
  takeUp(run) {
    this.#choose(choiceOf(run), false);
    void this.standing.go({ scenario: run.scenario }, 'page');
  }

  /** Begins anew, with another run or none. @param {Run | null} run */
  forget(run) {
    this.playback = new Playback(run?.lanes ?? [], run?.clients ?? 0, run?.decisive);
    this.stepControl.forget();
    this.notice = this.news = '';
  }

  /**
   * Shows a recorded run from its beginning. Nothing can be done to it.
   * @param {{ run: Run, playback: Playback }} recorded @param {string} name of the file
   */
  showRecording({ run, playback }, name) {
    this.forget(run);
    this.recordingName = name;
    this.run = run;
    this.playback = playback;
    this.playback.playhead.seek(0, performance.now());
    this.#changed();
  }

  /** Forgets the recording; the stream brings the live run. */
  leaveRecording() {
    this.forget(null);
    this.recordingName = '';
    this.run = undefined;
    this.#changed();
  }

  /** @param {Run | null | undefined} run @param {string} delay */
  async #slow(run, delay) {
    await setDelay(place.room, delay);
    if (run && run === this.run) this.run = { ...run, delay };
  }

  /** Runs a request and shows the server's sentence when it refuses. Says whether it did not. @param {() => Promise<unknown>} request */
  async try(request) {
    try {
      await request();
      this.notice = '';
    } catch (failure) {
      if (!(failure instanceof Refused)) throw failure;
      this.notice = failure.message;
    }
    this.#changed();
    return !this.notice;
  }
}

/** The stream says why there is none. @param {unknown} failure */
function noRoom(failure) {
  if (!(failure instanceof Refused)) throw failure;
  return undefined;
}
