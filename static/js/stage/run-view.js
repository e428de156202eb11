// What draws a run, and tells of it: lanes, tree, caption, timeline and the card of its
// end. It is loaded with the first run that is seen: a room where nothing runs does without.

import { CaptionView } from './caption-view.js';
import { Stage } from './picture/stage.js';
import { narrow } from '../ui/style.js';
import { TimelineView } from '../timeline/timeline-view.js';
import { inLane } from '../text/format.js';
import { sentence } from '../text/sentence.js';
import { sayIn, Speaker } from '../text/speaker.js';
import { byId } from '../ui/dom.js';
import { Tree } from './tree/tree.js';

/** @import { TimeScale } from '../play/time-scale.js' */
/** @import { Shown } from '../play/shown.d.ts' */
/** @import { ResultView } from './result-view.js' */
/** @import { Page, Played, Player } from '../shell/player.js' */

/** So long nothing happens in a run that has come to rest, in microseconds. */
const QUIET = 5_000_000;

export class RunView {
  /** @type {Player} */ #player;
  /** @type {Played} */ #played;
  /** @type {Page} */ #page;
  /** @type {Stage} */ #stage;
  /** @type {Tree} */ #tree;
  /** @type {TimelineView} */ #timeline;
  /** @type {CaptionView} */ #caption;
  #speaker = new Speaker(sayIn(byId('spoken')));
  /** The card of a run that is over, once one has been seen. @type {ResultView | undefined} */ #result;
  /** The decisive instant that has been brought into sight, in which run and how wide a window. */ #inSight = '';

  /** @param {Player} player @param {Played} played @param {Page} page */
  constructor(player, played, page) {
    this.#player = player;
    this.#played = played;
    this.#page = page;
    const { standing } = played;
    const inspect = standing.inspect.bind(standing);
    const redraw = () => player.change();
    this.#stage = new Stage(byId('lanes'), byId('lane-tabs'), redraw);
    this.#tree = new Tree(byId('tree'), { inspect, redraw });
    this.#caption = new CaptionView(byId('caption'), {
      inspect, goOn: () => standing.travel((playback, here) => playback.goOn(here)), left: toTime, list: () => player.panels.show('words'),
    });
    this.#timeline = new TimelineView(byId('timeline'), {
      actions: player.actions, seek: (at) => standing.go({ at }, 'viewer'),
      setSpeed: (speed) => standing.travel(({ playhead }, here) => playhead.setSpeed(speed, here)),
    });
  }

  /** The card of a run that is over, if it is shown. */
  get result() {
    return this.#result?.open ? this.#result : undefined;
  }

  /** Which lane is in front. */
  get front() {
    return this.#stage.front;
  }

  /** Brings a lane to the front. @param {number} index @param {boolean} alone */
  show(index, alone) {
    this.#stage.show(index, alone);
  }

  /** Moves what flies. Says whether anything still does. @param {Shown} shown */
  fly(shown) {
    return this.#stage.fly(shown);
  }

  /**
   * Draws it all, and says what is to be said. Says whether something is left to say.
   * @param {Shown} shown @param {TimeScale} scale @param {number} here performance.now()
   */
  draw(shown, scale, here) {
    if (shown.run) this.#drawTimeline(shown, scale, here);
    if (this.#player.views.shown === 'picture') this.#stage.draw(shown, (lane) => this.#player.laneActions(lane));
    this.#tree.draw(shown);
    if (shown.run) this.#caption.draw(shown);
    this.#bringIntoSight(shown);
    if (this.#result) this.#result.draw(shown, this.#page.lesson?.());
    else if (shown.view.finished) void this.#loadResult();
    return shown.run !== null && shown.run !== undefined && this.#speaker.look(shown, here);
  }

  /** @param {Shown} shown @param {TimeScale} scale @param {number} here */
  #drawTimeline({ run, at, mode, count, log, catalogue, view }, scale, here) {
    const { clock, playhead, marks } = this.#played.playback;
    const last = log.event(count - 1);
    const files = this.#page.files();
    this.#timeline.draw({
      at, mode, count, present: playhead.present(here), over: clock.stopped, read: clock.reading ? Math.min(0.99, log.length / Math.max(1, run?.events ?? 0)) : 1, quiet: isQuiet(view, at), speed: playhead.speed, pauses: this.#player.pauses,
      scale, marks, lanes: view.lanes.map(({ info }) => info.name), words: last ? inLane(last, view.lanes, sentence(last, catalogue)) : '', ...(files && { files }),
    });
  }

  /** Where the view stands at a decisive instant, whom that is about comes into sight, once all is laid out. @param {Shown} shown */
  #bringIntoSight({ run, mode, count, view }) {
    const instant = mode === 'paused' ? view.instants.find(({ seq }) => seq === count) : undefined;
    const place = instant ? `${run?.id} ${instant.seq} ${innerWidth}` : '';
    if (place === this.#inSight) return;
    this.#inSight = place;
    if (instant) void import('./picture/in-sight.js').then(({ showConcerned }) =>
      requestAnimationFrame(() => requestAnimationFrame(() => this.#inSight === place && showConcerned(instant.about, narrow.matches))));
  }

  /** A run that ends with its playground leaves nobody to load it from; another that is over later asks again. */
  async #loadResult() {
    const loaded = await import('./result-view.js').catch(() => undefined);
    if (!loaded) return;
    this.#result ??= new loaded.ResultView(byId('lanes'), {
      lookBack: (index) => this.#played.standing.go({ seq: index + 1 }, 'viewer'),
      left: toTime,
      start: this.#page.startNext,
    });
    this.#player.change();
  }
}

/** Whether all clients have had their turns, or are gone: nothing happens any more by itself. @param {Shown['view']} view @param {number} at */
const isQuiet = ({ captions, lanes }, at) => at - (captions.newest.at(-1)?.at ?? at) > QUIET
  && lanes.every(({ clients }) => [...clients.values()].every(({ state }) => ['idle', 'closed', 'absent'].includes(state)));

/** Moves the focus to the line of time: what had it is gone. */
const toTime = () => /** @type {HTMLElement | null} */ (document.querySelector('#timeline [role=slider]'))?.focus({ preventScroll: true });
