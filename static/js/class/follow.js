// Following the presenter of a class: who presents sends what is seen, and who follows
// sees the same, until it looks around by itself.

import { present } from '../source/api.js';
import { keyOf } from '../play/subject.js';

/** @import { Presented } from '../types.d.ts' */
/** @import { By } from '../play/address.js' */
/** @import { App } from '../shell/app.js' */
/** @import { LessonPanel } from '../lesson/panel.js' */
/** @import { Player } from '../shell/player.js' */
/** @import { Sections } from './sections.js' */

/** How often it is sent what the presenter sees, at most, in milliseconds. */
const SENT = 250;
/** How far a follower may be from where the presenter plays, in microseconds. */
const APART = 500_000;
/** What comes of the visitor's own hand. Whatever else moves the page is none of its doing. */
const HANDS = ['pointerdown', 'pointermove', 'pointerup', 'click', 'keydown', 'keyup', 'input', 'change', 'popstate'];

export class Follow {
  /** Whether the visitor sees what the presenter sees. */ on;
  /** @type {App} */ #app;
  /** @type {Player} */ #player;
  /** @type {LessonPanel} */ #lesson;
  /** @type {Sections} */ #sections;
  /** What is presented, once something is. @type {Presented | undefined} */ #presented;
  /** Where the visitor stood in the run, and what was open, when that was taken over. */ #taken = { instant: '', place: '' };
  /** In which run. @type {string | undefined} */ #takenRun;
  /** It was taken over before the run had come as far. */ #early = false;
  /** What was seen before an event of the visitor's hand that is not over. */ #before = '';
  /** What part of which lesson was shown last, and how often any was. */ #shows = { lesson: '', section: '', shown: 0 };
  /** How often this page has shown one: what another page of the presenter's has shown is not to be sent again. */ #showed = 0;
  /** The part of the lesson that was turned to: how often any was shown until then. */ #turned = 0;
  /** It is to be turned to, also where the lesson is out of sight. */ #brings = false;
  /** What was sent last, and when: performance.now(). */ #sent = '';
  #sentAt = -Infinity;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #later;

  /** @param {App} app @param {Player} player @param {LessonPanel} lesson @param {Sections} sections */
  constructor(app, player, lesson, sections) {
    this.on = !app.standing.linked; // a link to an instant is what the visitor wants to see
    this.#app = app;
    this.#player = player;
    this.#lesson = lesson;
    this.#sections = sections;
    for (const hand of HANDS) {
      addEventListener(hand, (event) => this.#begin(event), { capture: true, passive: true });
      addEventListener(hand, () => this.settle(), { passive: true });
    }
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

  /** The part of the lesson that was shown last, if that is the lesson of this page. */
  get section() {
    return this.#shows.lesson === this.#lesson.slug ? this.#shows.section : '';
  }

  /** What was shown while the visitor looked around, until it has seen or dismissed that. */
  get offer() {
    return this.wanders && !this.#brings && this.#presented?.section && this.#presented.shown !== this.#turned ? this.#presented : undefined;
  }

  /** Looks around by itself from now on. */
  wander() {
    this.on = false;
    this.#player.change();
  }

  /** Shows a part of the lesson to the class. @param {string} section */
  show(section) {
    this.#shows = { lesson: this.#lesson.slug, section, shown: this.#shows.shown + 1 };
    this.#showed++;
    this.#player.change();
  }

  /** Goes to the part of the lesson that was offered, and goes on looking around. */
  accept() {
    this.#brings = true;
    if (this.#presented) this.#read(this.#presented.lesson, 'viewer');
    this.#player.change();
  }

  dismiss() {
    this.#turned = this.#presented?.shown ?? 0;
    this.#player.change();
  }

  /** @param {Presented} presented */
  learn(presented) {
    const news = this.#presented !== undefined && presented.shown !== this.#presented.shown;
    this.#presented = presented;
    if (presented.shown >= this.#shows.shown) this.#shows = presented;
    this.#brings = news ? this.follows : this.#brings;
    if (this.follows) this.#takeOver(presented);
  }

  /** Back to the presenter. */
  back() {
    this.on = true;
    this.#turned = 0;
    if (this.#presented) this.#takeOver(this.#presented);
  }

  /** Looks after every frame whether there is something to send, or the page stands elsewhere than the presenter. @param {number} here performance.now() */
  look(here) {
    if (this.presents) this.#send(here);
    else if (this.follows && this.#presented) this.#keepUp(this.#presented);
    if ((this.follows || this.#brings) && this.#presented) this.#turn(this.#presented);
  }

  /** @param {Event} event */
  #begin(event) {
    if (event instanceof PointerEvent && event.type === 'pointermove' && !event.buttons) return;
    if (this.follows) this.#before = this.#seen();
  }

  /** The visitor goes its own way when its hand has moved what is seen. Not every event comes to its end here: look before anything else does. */
  settle() {
    if (!this.#before) return;
    const moved = this.#before !== this.#seen();
    this.#before = '';
    if (moved) this.wander();
    else if (this.#presented?.shown !== this.#turned) this.#player.change(); // the lesson may have come into sight
  }

  /**
   * Goes where the presenter stands once the run has come as far, and again when the page
   * has moved by itself. Where the presenter plays to the end of a run, each page comes to that by itself.
   * @param {Presented} presented
   */
  #keepUp(presented) {
    if (this.#app.recordingName) return this.wander();
    if (this.#app.run?.id !== this.#takenRun) this.#early = true; // another run has begun: the presenter will be there
    const moved = this.#instant() !== this.#taken.instant && presented.mode !== 'playing';
    if (this.#early ? this.#hasCome(presented) : moved) this.#stand(presented);
    if (this.#place() !== this.#taken.place) this.#open(presented);
  }

  /** Whether the visitor can stand where the presenter does: the picture lags a little behind the log. @param {Presented} presented */
  #hasCome({ at, mode, run }) {
    const { log, playhead } = this.#app.playback;
    return run === (this.#app.run?.id ?? '') && (mode === 'live' || at >= log.begin) && (mode !== 'paused' || playhead.present(performance.now()) >= at);
  }

  /** Where the visitor stands, without what changes by itself. */
  #instant() {
    const { playhead } = this.#app.playback;
    const { at } = playhead.instant(performance.now());
    return playhead.mode === 'paused' ? String(Math.round(at)) : playhead.mode;
  }

  /** What is read, open and chosen. */
  #place() {
    return JSON.stringify([this.#lesson.slug, this.#player.views.word, keyOf(this.#app.standing.subject)]);
  }

  #seen() {
    return `${this.#instant()} ${this.#place()}`;
  }

  /** @param {number} here */
  #send(here) {
    const { playback, standing, run } = this.#app;
    if (run === undefined || !this.#lesson.slug) return; // this page does not stand anywhere yet
    const { mode, speed } = playback.playhead;
    const at = mode === 'live' ? 0 : Math.round(playback.playhead.instant(here).at);
    const what = { run: run?.id ?? '', at, mode, speed, lesson: this.#lesson.slug, panel: this.#player.views.word, subject: keyOf(standing.subject) };
    const text = JSON.stringify([what, this.#showed]);
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
    void this.#app.try(() => present({ ...what, section: this.section, shown: this.#shows.shown }));
  }

  /** @param {Presented} presented */
  #takeOver(presented) {
    this.#stand(presented);
    this.#open(presented);
  }

  /** Stands where the presenter does, as far as the run has come. @param {Presented} presented */
  #stand(presented) {
    const { playback, run } = this.#app;
    const { playhead } = playback;
    const { at, mode, speed } = presented;
    const here = performance.now();
    this.#early = !this.#hasCome(presented);
    if (presented.run === (run?.id ?? '')) {
      playback.stay(); // it may have paused by itself, before there was somebody to follow
      if (speed && speed !== playhead.speed) playhead.setSpeed(speed, here);
      if (mode === 'live') playhead.live();
      else if (mode === 'paused' || at < playback.log.begin) playhead.seek(at, here);
      else this.#play(at, here);
    }
    this.#taken.instant = this.#instant();
    this.#takenRun = run?.id;
    this.#player.change();
  }

  /** Plays where the presenter does; at the end of the run, that is over a little earlier or later. @param {number} at @param {number} here */
  #play(at, here) {
    const { playhead } = this.#app.playback;
    const own = playhead.instant(here).at;
    const apart = Math.abs(own - at) > APART;
    if (apart) playhead.seek(at, here);
    if (apart || (playhead.mode === 'paused' && own < playhead.present(here))) playhead.play(here);
  }

  /** Opens and chooses what the presenter has. @param {Presented} presented */
  #open({ lesson, panel, subject, run }) {
    this.#read(lesson, 'page');
    const same = run === this.#app.run?.id;
    void this.#app.standing.go({ ...(panel !== this.#player.views.word && { panel }), ...(same && { subject }) }, 'page');
    this.#taken.place = this.#place();
    this.#player.change();
  }

  /** @param {string} lesson @param {By} by */
  #read(lesson, by) {
    if (lesson && lesson !== this.#lesson.slug) void this.#app.standing.go({ lesson }, by);
  }

  /** Turns to the part of the lesson that was shown, as soon as its text is here and in sight. @param {Presented} presented */
  #turn({ lesson, section, shown }) {
    if (!section || shown === this.#turned || this.#lesson.here !== lesson) return;
    if (!this.#sections.turnTo(section, this.#brings, !this.on)) return;
    this.#turned = shown;
    this.#brings = false;
  }
}
