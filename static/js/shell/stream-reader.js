// What the stream reports becomes the state of the page.

import { place, whyRefused } from '../source/api.js';
import { runTitle } from '../text/format.js';
import { t } from '../text/language.js';

/** @import { Event } from '../events.d.ts' */
/** @import { Reader, Stream } from '../source/live.js' */
/** @import { Link, Run, Steps } from '../types.d.ts' */
/** @import { App } from './app.js' */

/** Why a room is closed to the visitor for good, by the server's codes. */
const CLOSED = ['no_such_room', 'forbidden'];

/** @implements {Reader} */
export class StreamReader {
  /** @type {App} */ #app;
  /** @type {Pick<Stream, 'close' | 'withoutState'> | undefined} */ #stream;
  /** What has come after a state that is still being read. @type {Event[] | undefined} */ #following;

  /** @param {App} app @param {Pick<Stream, 'close' | 'withoutState'>} [stream] what brings the events, where something does */
  constructor(app, stream) {
    this.#app = app;
    this.#stream = stream;
  }

  /** @param {Link} link */
  link(link) {
    const app = this.#app;
    if (link !== 'open') {
      app.playback.clock.pause(performance.now());
      void whyRefused(place.room).then((refused) => app.link === link && this.#refuse(refused));
    }
    app.set({ link });
  }

  /** A room that is closed for good is not asked again. @param {App['refused']} refused */
  #refuse(refused) {
    const closed = CLOSED.includes(refused.code);
    if (closed) this.#stream?.close();
    if (closed) this.#app.inform();
    this.#app.set({ refused, ...(closed && { link: /** @type {const} */ ('gone') }) });
  }

  /** @param {Run | null} run @param {boolean} fresh */
  run(run, fresh) {
    const app = this.#app;
    const before = app.run;
    if (fresh) {
      app.forget(run);
      this.#following = undefined;
    }
    if (run) app.follow(run, fresh);
    else if (before) app.news = t`The playground was restarted, and its run has ended. Where runs are kept, it is among those of this room.`;
    app.run = run;
    this.#tellOthers(run, before);
    app.inform();
    if (run?.state === 'running') app.playback.clock.observe(run.at, performance.now());
    if (run?.state === 'finished') app.playback.finish(performance.now(), run.at);
    app.set({});
  }

  /**
   * Says when somebody else has started or stopped a run that the visitor controls too.
   * @param {Run | null} run @param {Run | null | undefined} before undefined before the server has said what runs
   */
  #tellOthers(run, before) {
    const app = this.#app;
    const started = run && before !== undefined && run.id !== before?.id;
    const stopped = run?.state === 'finished' && run.id === before?.id && before.state !== 'finished'
      && !app.playback.log.newest(1, ({ kind }) => kind === 'note.stopping')[0]?.why; // it has not ended by itself
    if (started && !app.asked.start && app.may('control')) {
      app.news = this.#others(t`Somebody else started ${runTitle(run)} here.`, t`${runTitle(run)} was started from another page.`);
      app.takeUp(run);
    }
    if (stopped && !app.asked.stop && !app.asked.start && app.may('control')) app.news = this.#others(t`Somebody else stopped the run.`, t`The run was stopped from another page.`);
    if (started) app.asked = { start: false, stop: false };
  }

  /** In a room of one's own, it was oneself. @param {string} shared @param {string} own */
  #others(shared, own) {
    const { room } = this.#app;
    return room?.own === room?.room ? own : shared;
  }

  /** @param {Steps} news */
  steps(news) {
    const app = this.#app;
    app.stepControl.learn(news);
    app.set(app.run ? { run: { ...app.run, step: news.step, steps: news.steps } } : {});
  }

  /**
   * Takes up what the first events of the run come to; those that follow wait until what
   * reads it is here. A state that cannot be read is replaced by the events.
   * @param {Event} event state.whole
   */
  async state(event) {
    const app = this.#app;
    const { playback, run } = app;
    /** @type {Event[]} */
    const following = this.#following = [];
    try {
      const { viewOf } = await import('../log/whole.js');
      if (playback !== app.playback) return;
      playback.goOnFrom(viewOf(event, run?.lanes ?? [], run?.clients ?? 0), performance.now());
    } catch {
      if (playback === app.playback) this.#stream?.withoutState();
      return;
    }
    this.#following = undefined;
    this.events(following);
  }

  /** @param {Event[]} events */
  events(events) {
    if (this.#following) {
      this.#following.push(...events);
      return;
    }
    this.#app.playback.take(events, performance.now());
    this.#app.set({});
  }

  /** @param {import('../types.d.ts').Room} room */
  room(room) {
    this.#app.enter(room);
  }

  /** @param {import('../types.d.ts').Presented} presented */
  presented(presented) {
    this.#app.set({ presented });
  }

  /** @param {number} judged */
  judgement(judged) {
    this.#app.set({ judged });
  }

  /** @param {import('../types.d.ts').ZooKeeper} zookeeper @param {import('../types.d.ts').Server[]} servers */
  zookeeper(zookeeper, servers) {
    this.#app.set({ zookeeper, servers });
  }
}
