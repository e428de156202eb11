// Following the presenter of a class: who presents sends what is seen, and who follows
// sees the same, until it looks around by itself.

import { goTo, readPlace } from '../address.js';
import { present } from '../api.js';
import { isPanel } from '../panels.js';
import { keyOf, subjectOfKey } from '../../view/subject.js';

/** @import { Presented } from '../../types.d.ts' */
/** @import { App } from '../app.js' */
/** @import { LessonPanel } from '../lesson/panel.js' */
/** @import { Player } from '../player.js' */

/** How often it is sent what the presenter sees, at most, in milliseconds. */
const SENT = 250;
/** How far a follower may be from where the presenter plays, in microseconds. */
const APART = 500_000;

export class Follow {
  /** Whether the visitor sees what the presenter sees. */ on = true;
  /** @type {App} */ #app;
  /** @type {Player} */ #player;
  /** @type {LessonPanel} */ #lesson;
  /** What is presented, once something is. @type {Presented | undefined} */ #presented;
  /** What the visitor saw when that was taken over, as a whole, and in which run. */ #taken = '';
  /** @type {string | undefined} */ #takenRun;
  /** It was taken over before the run had come as far. */ #early = false;
  /** What was sent last, and when: performance.now(). */ #sent = '';
  #sentAt = -Infinity;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #later;

  /** @param {App} app @param {Player} player @param {LessonPanel} lesson */
  constructor(app, player, lesson) {
    this.#app = app;
    this.#player = player;
    this.#lesson = lesson;
  }

  /** Whether this page is the presenter's: the driver's, or else the teacher's. */
  get presents() {
    const { room } = this.#app;
    return room?.class !== undefined && (room.role === 'driver' || (room.role === 'teacher' && !room.class.driven));
  }

  /** Whether this page shows what another one presents. */
  get follows() {
    return this.on && this.#presented !== undefined && !this.presents;
  }

  /** Whether there is a presenter to go back to. */
  get wanders() {
    return !this.on && this.#presented !== undefined && !this.presents;
  }

  /** Looks around by itself from now on. */
  wander() {
    this.on = false;
    this.#player.change();
  }

  /** @param {Presented} presented */
  learn(presented) {
    this.#presented = presented;
    if (this.follows) this.#takeOver(presented);
  }

  /** Back to the presenter. */
  back() {
    this.on = true;
    if (this.#presented) this.#takeOver(this.#presented);
  }

  /** Looks after every frame whether there is something to send, or the visitor has gone its own way. @param {number} here performance.now() */
  look(here) {
    if (this.presents) this.#send(here);
    else if (this.follows && this.#presented) this.#keepUp(this.#presented);
  }

  /** Goes where the presenter stands once the run has come as far; else sees whether the visitor has moved. @param {Presented} presented */
  #keepUp(presented) {
    if (this.#app.run?.id !== this.#takenRun) this.#early = true; // another run has begun: the presenter will be there
    if (this.#early) {
      if (this.#hasCome(presented)) this.#takeOver(presented);
    } else if (this.#seen() !== this.#taken) {
      this.on = false;
      this.#player.change();
    }
  }

  /** Whether the visitor can stand where the presenter does: the picture lags a little behind the log. @param {Pick<Presented, 'at' | 'mode' | 'run'>} presented */
  #hasCome({ at, mode, run }) {
    const { log, playhead } = this.#app.playback;
    return run === (this.#app.run?.id ?? '') && (mode !== 'paused' || (at >= log.begin && playhead.present(performance.now()) >= at));
  }

  /** What the visitor sees, without what changes by itself. */
  #seen() {
    const { playback, subject } = this.#app;
    const { mode } = playback.playhead;
    return JSON.stringify([mode, mode === 'paused' ? Math.round(playback.playhead.instant(performance.now()).at) : 0,
      this.#lesson.slug, this.#player.panels.open, keyOf(subject)]);
  }

  /** @param {number} here */
  #send(here) {
    const { playback, subject, run } = this.#app;
    const { mode, speed } = playback.playhead;
    const at = mode === 'live' ? 0 : Math.round(playback.playhead.instant(here).at);
    const what = { run: run?.id ?? '', at, mode, speed, lesson: this.#lesson.slug, panel: this.#player.panels.open, subject: keyOf(subject) };
    const text = JSON.stringify(what);
    if (text === this.#sent) return;
    if (here - this.#sentAt < SENT) { // later, even if nothing is drawn by itself
      this.#later ??= setTimeout(() => {
        this.#later = undefined;
        this.#player.change();
      }, SENT);
      return;
    }
    this.#sent = text;
    this.#sentAt = here;
    void this.#app.try(() => present(what));
  }

  /** @param {Presented} presented */
  #takeOver({ at, mode, speed, lesson, panel, subject, run }) {
    const { playback } = this.#app;
    const { playhead } = playback;
    const here = performance.now();
    this.#early = !this.#hasCome({ at, mode, run });
    playhead.speed = speed || 1;
    if (run === (this.#app.run?.id ?? '')) {
      if (mode === 'live') playhead.live();
      else if (mode === 'paused') playhead.seek(at, here);
      else if (playhead.mode !== 'playing' || Math.abs(playhead.instant(here).at - at) > APART) {
        playhead.seek(at, here);
        playhead.play(here);
      }
    }
    if (lesson && lesson !== this.#lesson.slug) {
      void this.#lesson.show(lesson);
      goTo({ ...readPlace(location.hash), lesson }, true);
    }
    if (isPanel(panel) && panel !== this.#player.panels.open) this.#player.panels.show(panel);
    this.#app.subject = subjectOfKey(subject);
    this.#taken = this.#seen();
    this.#takenRun = this.#app.run?.id;
    this.#player.change();
  }
}
