// The websocket that carries the log. It comes back by itself and goes on
// where it was, so that no event is missed and none is seen twice.

/** @import { Event } from '../events.d.ts' */
/** @import { Link, Run, Server, Steps, StreamMessage, ZooKeeper } from '../types.d.ts' */

/**
 * @typedef {object} Reader
 * @property {(run: Run | null, fresh: boolean) => void} run fresh: forget what was folded so far
 * @property {(steps: Steps) => void} steps what has been done by hand since
 * @property {(events: Event[]) => void} events consecutive, following those before
 * @property {(event: Event) => void} state what the first events of the run come to, in their place: state.whole
 * @property {(room: import('../types.d.ts').Room) => void} room what the visitor is in the room
 * @property {(presented: import('../types.d.ts').Presented) => void} presented what the presenter sees
 * @property {(seq: number) => void} judgement the room's has changed: a number that grows
 * @property {(zookeeper: ZooKeeper, servers: Server[]) => void} zookeeper
 * @property {(link: Link) => void} link
 */

/**
 * What the stream needs of the browser; tests bring their own.
 * @typedef {object} Browser
 * @property {(url: string) => WebSocket} open
 * @property {(task: () => void, milliseconds: number) => unknown} later
 */

const FIRST_WAIT = 250;
const LONGEST_WAIT = 4000;
/** How long the server may take to answer a probe. */
const PROBE_WAIT = 2000;
const PROBE = JSON.stringify({ probe: true });
/** The close code of a playground that stops. */
const GOING_AWAY = 1001;

export class Stream {
  /** @type {Reader} */ #reader;
  /** @type {Browser} */ #browser;
  /** @type {string} */ #base;
  /** @type {WebSocket | undefined} */ #socket;
  /** Whether a state may take the place of the first events. */ #state = true;
  #run = '';
  #last = 0;
  #wait = FIRST_WAIT;
  #heard = false; // something, since somebody looked
  #answered = false; // the last probe
  #stopped = false;
  #closed = false;

  /**
   * @param {string} base the stream's address, without a query
   * @param {Reader} reader
   * @param {Browser} browser
   */
  constructor(base, reader, browser) {
    this.#base = base;
    this.#reader = reader;
    this.#browser = browser;
  }

  /** Connects, and stays connected until close. */
  open() {
    const query = new URLSearchParams({ from: String(this.#last + 1) });
    if (this.#run) query.set('run', this.#run);
    else if (this.#state) query.set('state', 'yes');
    const socket = this.#browser.open(`${this.#base}?${query}`);
    this.#socket = socket;
    socket.onopen = () => {
      this.#answered = true;
      this.#stopped = false;
      this.#reader.link('open');
    };
    socket.onmessage = (message) => socket === this.#socket && this.#receive(JSON.parse(message.data));
    socket.onclose = ({ code }) => socket === this.#socket && this.#lost(code);
  }

  close() {
    this.#closed = true;
    const socket = this.#socket;
    this.#socket = undefined; // nothing more is taken from it
    socket?.close();
  }

  /**
   * The page is looked at again, or the network is back: a lost connection is made again
   * at once, and one that seems open, but may be dead, has to show that it is not.
   */
  wake() {
    if (this.#closed) return;
    this.#wait = FIRST_WAIT;
    const socket = this.#socket;
    if (!socket) return this.open();
    this.#answered = false;
    if (socket.readyState === 1) socket.send(PROBE);
    this.#await(socket);
  }

  /** Waits for an answer as long as anything comes: what came before a phone slept is heard first. @param {WebSocket} socket */
  #await(socket) {
    this.#heard = false;
    this.#browser.later(() => {
      if (socket !== this.#socket || this.#answered) return;
      if (this.#heard) this.#await(socket);
      else this.#reconnect(0);
    }, PROBE_WAIT);
  }

  /** Connects again after a close, and takes up the room's run from its beginning. */
  restart() {
    this.#closed = false;
    this.#run = '';
    this.#last = 0;
    this.open();
  }

  /** The state cannot be read: takes up the run from its first event. */
  withoutState() {
    this.#state = false;
    this.close();
    this.restart();
  }

  /** @param {StreamMessage} message */
  #receive(message) {
    this.#wait = FIRST_WAIT;
    this.#heard = true;
    if (message.probe) this.#answered = true;
    if (message.zookeeper) this.#reader.zookeeper(message.zookeeper, message.servers ?? []);
    if (message.room) this.#reader.room(message.room);
    if (message.run !== undefined) this.#turnTo(message.run);
    if (message.presented) this.#reader.presented(message.presented);
    if (message.judgement) this.#reader.judgement(message.judgement);
    if (message.steps) this.#reader.steps(message.steps);
    if (message.events) this.#take(message.events);
  }

  /** @param {Run | null} run */
  #turnTo(run) {
    const id = run?.id ?? '';
    const fresh = id !== this.#run;
    if (fresh) this.#last = 0;
    this.#run = id;
    this.#reader.run(run, fresh);
  }

  /** @param {Event[]} events */
  #take(events) {
    const news = events.filter((event) => event.seq > this.#last);
    let first = news[0];
    if (!this.#last && first?.state) {
      this.#last = first.seq;
      this.#reader.state(first);
      news.shift();
      first = news[0];
    }
    if (!first) return;
    if (first.seq !== this.#last + 1) return this.#reconnect(0);
    this.#last += news.length;
    this.#reader.events(news);
  }

  /** @param {number} code */
  #lost(code) {
    if (this.#closed) return;
    this.#stopped ||= code === GOING_AWAY;
    this.#reconnect(this.#wait);
    this.#wait = Math.min(LONGEST_WAIT, this.#wait * 2);
  }

  /** @param {number} wait in milliseconds */
  #reconnect(wait) {
    const old = this.#socket;
    this.#socket = undefined;
    old?.close();
    this.#reader.link(this.#stopped ? 'stopped' : 'reconnecting');
    this.#browser.later(() => this.#closed || this.#socket || this.open(), wait);
  }
}

/**
 * The stream's address beside the page.
 * @param {string} room
 * @param {string} page the page's own address
 */
export function streamAddress(room, page) {
  const url = new URL(`api/rooms/${encodeURIComponent(room)}/stream`, page);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  url.hash = '';
  return url.href;
}
