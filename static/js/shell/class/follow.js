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
  /** What the visitor saw when that was taken over, as a whole. */ #taken = '';
  /** It was taken over before the run had come as far. */ #early = false;
  /** What was sent last, and when: performance.now(). */ #sent = '';
  #sentAt = -Infinity;

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
    else if (this.follows && this.#presented && this.#behind(this.#presented)) this.#takeOver(this.#presented);
    else if (this.follows && this.#taken && this.#seen() !== this.#taken) {
      this.on = false;
      this.#player.change();
    }
  }

  /** Whether the events up to where the presenter stands have not come yet. @param {Presented} presented */
  #behind({ at, mode, run }) {
    return this.#early && run === (this.#app.run?.id ?? '') && (mode !== 'paused' || this.#app.playback.log.end >= at);
  }

  /** What the visitor sees, without what changes by itself. */
  #seen() {
    const { playback, subject, run } = this.#app;
    const { mode } = playback.playhead;
    return JSON.stringify([run?.id, mode, mode === 'paused' ? Math.round(playback.playhead.instant(performance.now()).at) : 0,
      this.#lesson.slug, this.#player.panels.open, keyOf(subject)]);
  }

  /** @param {number} here */
  #send(here) {
    const { playback, subject, run } = this.#app;
    const { mode, speed } = playback.playhead;
    if (here - this.#sentAt < SENT) return;
    const at = mode === 'live' ? 0 : Math.round(playback.playhead.instant(here).at);
    const what = { run: run?.id ?? '', at, mode, speed, lesson: this.#lesson.slug, panel: this.#player.panels.open, subject: keyOf(subject) };
    const text = JSON.stringify(what);
    if (text === this.#sent) return;
    this.#sent = text;
    this.#sentAt = here;
    void this.#app.try(() => present(what));
  }

  /** @param {Presented} presented */
  #takeOver({ at, mode, speed, lesson, panel, subject, run }) {
    const { playback } = this.#app;
    const { playhead } = playback;
    const here = performance.now();
    this.#early = run !== (this.#app.run?.id ?? '') || (mode === 'paused' && playback.log.end < at);
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
    this.#player.change();
  }
}
