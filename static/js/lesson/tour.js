// The tour: three real runs, one after the other, with nothing around the scene but one
// sentence. The view stands still at the instant that each step is about.

import { html, render } from '../lit.js';
import { steps, words } from './tour-words.js';
import { narrow } from '../ui/style.js';
import { completed, placeOfLesson } from './course.js';
import { read } from './pane.js';

/** @import { EventLog } from '../log/event-log.js' */
/** @import { App } from '../shell/app.js' */
/** @import { Player } from '../shell/player.js' */

/** After so long who waits for an instant may go on without it, in milliseconds. */
const TIMEOUT = 20_000;

/** @typedef {{ at: number, seq: number }} Reached an instant, and the event with which it came; 0 where that does not matter */

export class Tour {
  /** @type {App} */ #app;
  /** @type {Player} */ #player;
  /** @type {() => void} */ #ended;
  #card = Object.assign(document.createElement('section'), { className: 'tour-card' });
  #step = 0;
  /** When the step began: performance.now(). */ #since = 0;
  /** The instants that have come, by their name, in the run that is shown. @type {Map<string, Reached>} */ #reached = new Map();
  /** In which run. @type {string | undefined} */ #run;
  /** The run of the step has been asked for, and has not come yet. */ #starting = false;
  #stands = false;

  /** @param {App} app @param {Player} player @param {number} step from 0 @param {() => void} ended called when they are over */
  constructor(app, player, step, ended) {
    this.#app = app;
    this.#player = player;
    this.#ended = ended;
    this.#card.setAttribute('aria-label', words.name);
    document.body.classList.add('tour');
    document.getElementById('stage')?.append(this.#card);
    document.addEventListener('keydown', this.#key, true);
    void app.standing.go({ panel: '' }, 'page');
    read(false);
    this.#go(Math.min(step, steps.length - 1));
    this.draw();
    this.#card.querySelector('button')?.focus();
  }

  /** Takes all of it away. */
  end() {
    document.removeEventListener('keydown', this.#key, true);
    document.body.classList.remove('tour');
    this.#card.remove();
    this.#ended();
    document.getElementById('stage')?.focus();
  }

  /** The whole page is there again, with the run that was shown last. */
  #leave() {
    this.end();
    void this.#app.standing.go(completed(this.#app, {}), 'page');
    this.#player.change();
  }

  /** Goes on to the first lesson. */
  #goOn() {
    this.#leave();
    void this.#app.standing.go(placeOfLesson(this.#app, this.#first?.slug ?? ''), 'viewer');
    if (narrow.matches) read(true);
  }

  get #first() {
    return this.#app.lessons[0];
  }

  /** Looks after every frame whether the instant of the step has come. */
  draw() {
    const { run, playback } = this.#app;
    if (run?.id !== this.#run) {
      this.#run = run?.id;
      this.#reached.clear();
      this.#stands = false;
    }
    if (run?.scenario === this.#now.scenario) this.#starting = false;
    if (!this.#starting && run?.scenario === this.#now.scenario) this.#look();
    if (playback.pausedAt && !this.#stands) this.#app.standing.travel((own, here) => own.goOn(here)); // at an instant of another step
    render(this.#view(), this.#card);
  }

  get #now() {
    return /** @type {import('./tour-words.js').Step} */ (steps[this.#step]);
  }

  /** Notes which instants have come; the view stands at that of the step. */
  #look() {
    const { playback } = this.#app;
    const { at: name } = this.#now;
    const found = this.#reached.get(name) ?? playback.view.instants.find((each) => each.name === name) ?? told(playback.log, name, this.#now.clients);
    if (!found || this.#stands) return;
    this.#reached.set(name, found);
    this.#stands = true;
    void this.#app.standing.go({ at: found.at, seq: found.seq }, 'page');
  }

  #view() {
    const { before, words: idea } = this.#now;
    const last = this.#step + 1 === steps.length;
    return html`<p class="tour-words" role="status">${this.#stands ? idea : before}</p>
      <div class="tour-ways">
        <button type="button" class="button large primary" aria-disabled=${String(!this.#mayTurn)} @click=${() => this.#turnOn()}>${last ? words.lesson(this.#first?.title ?? '') : words.next}</button>
        <button type="button" class="button large" ?hidden=${this.#step === 0} @click=${() => this.#turn(-1)}>${words.back}</button>
        <button type="button" class="button large" @click=${() => this.#leave()}>${words.leave}</button>
        <span>${words.place(this.#step + 1, steps.length)}</span>
      </div>`;
  }

  get #mayTurn() {
    return this.#stands || performance.now() - this.#since > TIMEOUT;
  }

  /** To the next step, or after the last one to the first lesson. */
  #turnOn() {
    if (!this.#mayTurn) return;
    if (this.#step + 1 === steps.length) this.#goOn();
    else this.#turn(1);
  }

  /** @param {1 | -1} direction */
  #turn(direction) {
    const step = this.#step + direction;
    if (step < 0 || step >= steps.length) return;
    const stood = this.#stands;
    this.#go(step);
    if (stood && !this.#starting) this.#app.standing.travel((playback, here) => (this.#stands ? undefined : playback.playhead.play(here)));
    this.#player.change();
  }

  /** Begins a step, with a run of its own where another scenario runs. @param {number} step */
  #go(step) {
    const { run } = this.#app;
    this.#step = step;
    this.#since = performance.now();
    this.#stands = false;
    void this.#app.standing.go({ tour: step + 1 }, 'page');
    const { scenario, clients } = this.#now;
    if (run?.scenario === scenario && run.state === 'running' && run.clients === clients) return this.#look();
    this.#starting = true;
    this.#app.pick(scenario);
    void this.#app.start({ scenario, clients });
  }

  /** Arrow keys turn the pages, Escape leaves; no other single key does anything here. */
  #key = (/** @type {KeyboardEvent} */ event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open], :popover-open')) return;
    const turn = /** @type {const} */ ({ ArrowRight: 1, ArrowLeft: -1 })[event.key];
    const own = document.activeElement === document.body || this.#card.contains(document.activeElement);
    if (event.key === 'Escape') this.#leave();
    else if (turn === 1 && own) this.#turnOn();
    else if (turn === -1 && own) this.#turn(-1);
    else if (event.key.length !== 1 || event.key === ' ') return;
    event.stopPropagation();
  };
}

/** The instant that no scenario names, by the events that tell of it. @param {EventLog} log @param {string} name @param {number} clients @returns {Reached | undefined} */
function told(log, name, clients) {
  if (name !== 'all-wait') return undefined;
  const waiting = new Set();
  return log.oldest(1, ({ kind, client }) => {
    if (kind === 'lock.waiting') waiting.add(client);
    return waiting.size === clients - 1;
  }, 0, log.length)[0];
}
