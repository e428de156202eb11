// A recording is a header line and the events of a run, one line of JSON each, as
// playground/event writes it. It may come from anywhere, so nothing of it is believed:
// each event is checked, and where one is wrong the reading ends with one sentence.

import { grouped, t } from '../text/language.js';
import { checkEvent, checkHeader, isOld } from './recording-fields.js';

/** @import { Event, Run } from '../events.d.ts' */

/**
 * The most that is read: characters in all, which do for a million events or more,
 * characters in a line, and events. The page keeps an event in some 100 to 250 bytes.
 * @typedef {{ text: number, line: number, events: number }} Limits
 */

/** @type {Limits} */
export const LIMITS = { text: 512 * 2 ** 20, line: 32 * 2 ** 20, events: 2_000_000 };

/** A recording that cannot be read; its message is a sentence for the visitor. */
export class BadRecording extends Error {
  /** @param {string} sentence */
  constructor(sentence) {
    super(sentence);
    this.name = 'BadRecording';
  }
}

/** A recording of an older playground, which the server can bring up to date. */
export class OldRecording extends BadRecording {}

/** How many events are handed over at once: a page reads them between two of its frames. */
const PART = 4000;

/**
 * Reads a recording's text, in one piece or in pieces cut anywhere: its events part by
 * part, those before a damage as well. A text that is too long is refused as soon as that
 * shows, so it is never held whole.
 * @param {string | Iterable<string> | AsyncIterable<string>} text
 * @param {Limits} [limits]
 * @returns {AsyncGenerator<{ run: Run, events: Event[] }, void>} one part at least
 * @throws {BadRecording} an OldRecording where that is all that is wrong
 */
export async function* recordingParts(text, limits = LIMITS) {
  const reader = new Reader(limits);
  try {
    for await (const piece of typeof text === 'string' ? [text] : text) {
      reader.take(piece);
      if (reader.ready >= PART) yield reader.part();
    }
    reader.end();
  } catch (failure) {
    if (reader.ready) yield reader.part();
    throw failure;
  }
  yield reader.part();
}

/**
 * Reads a recording's text whole.
 * @param {Parameters<typeof recordingParts>} text
 * @returns {Promise<{ run: Run, events: Event[] }>}
 */
export async function parseRecording(...text) {
  /** @type {Event[]} */
  const all = [];
  /** @type {Run | undefined} */
  let whole;
  for await (const { run, events } of recordingParts(...text)) {
    whole = run;
    for (const event of events) all.push(event);
  }
  return { run: /** @type {Run} */ (whole), events: all };
}

/** What has been read so far. */
class Reader {
  /** @type {Limits} */ #limits;
  /** @type {Run | undefined} */ #run;
  /** Those that have not been handed over. @type {Event[]} */ #events = [];
  /** How many there have been. */ #count = 0;
  #at = 0;
  #length = 0;
  #rest = ''; // the beginning of a line whose end has not come

  /** @param {Limits} limits */
  constructor(limits) {
    this.#limits = limits;
  }

  /** @param {string} piece */
  take(piece) {
    this.#length += piece.length;
    if (this.#length > this.#limits.text) throw new BadRecording(t`The recording is too large: the page reads up to ${this.#limits.text / 2 ** 20} MB of text.`);
    const first = piece.indexOf('\n');
    if (first < 0) return this.#begin(this.#rest + piece);
    this.#line(this.#rest + piece.slice(0, first));
    let start = first + 1;
    for (let end = piece.indexOf('\n', start); end >= 0; end = piece.indexOf('\n', start)) {
      this.#line(piece.slice(start, end));
      start = end + 1;
    }
    this.#begin(piece.slice(start));
  }

  /** How many events are ready to be handed over. */
  get ready() {
    return this.#events.length;
  }

  /** Hands over the events that are ready. @returns {{ run: Run, events: Event[] }} */
  part() {
    const events = this.#events;
    this.#events = [];
    return { run: /** @type {Run} */ (this.#run), events };
  }

  /** Nothing follows: what there was must have been a recording. */
  end() {
    if (this.#rest) this.#line(this.#rest);
    if (!this.#run) throw new BadRecording(t`The file is empty, so it is not a recording.`);
    const { events } = this.#run;
    if (this.#count < events) throw new BadRecording(t`The recording is not whole: it ends after event ${this.#count} of ${events}.`);
  }

  /** @param {string} rest */
  #begin(rest) {
    this.#rest = this.#bounded(rest);
  }

  /** @param {string} line */
  #line(line) {
    if (!this.#bounded(line).trim()) return;
    if (!this.#run) this.#run = this.#header(line);
    else this.#events.push(this.#event(line, this.#run));
  }

  /** @param {string} line */
  #bounded(line) {
    if (line.length > this.#limits.line) throw new BadRecording(t`This is not a recording: it has a line that is too long.`);
    return line;
  }

  /** @param {string} line */
  #header(line) {
    const value = parse(line);
    const complaint = value === undefined ? t`it does not begin with a line of JSON` : checkHeader(value);
    if (isOld(value)) throw new OldRecording(t`This recording was made by an older playground. Open it in the page of a playground that runs: that can bring it up to date.`);
    if (complaint) throw new BadRecording(t`This is not a recording that can be read: ${complaint}.`);
    return /** @type {{ run: Run }} */ (value).run;
  }

  /** @param {string} line @param {Run} run @returns {Event} */
  #event(line, run) {
    const due = this.#count + 1;
    if (due > this.#limits.events) throw new BadRecording(t`The recording is too large: the page reads up to ${grouped(this.#limits.events)} events.`);
    const value = parse(line);
    if (value === undefined) throw new BadRecording(this.#broken(due, run));
    const complaint = checkEvent(value, run) || this.#disorder(/** @type {Event} */ (value), due);
    if (complaint) throw new BadRecording(t`The recording is damaged at event ${due}: ${complaint}.`);
    const event = /** @type {Event} */ (value);
    this.#at = event.at;
    this.#count = due;
    return event;
  }

  /** @param {number} due @param {Run} run */
  #broken(due, run) {
    return t`The recording is cut off or damaged at event ${due} of ${run.events}: its line cannot be read.`;
  }

  /** @param {Event} event @param {number} due */
  #disorder(event, due) {
    if (event.seq !== due) return t`it has the number ${event.seq}`;
    if (event.at < this.#at) return t`time runs back there`;
    return '';
  }
}

/** @param {string} line @returns {unknown} undefined if it is no JSON */
function parse(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
