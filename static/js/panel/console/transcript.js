// What stands in a console: a fold over what was typed and what the server said. Only
// the newest lines are kept.

import { textReason } from '../../model/reason.js';
import { t } from '../../text/language.js';
import { reasonWords } from '../../text/reasons.js';
import { helpText } from './help.js';

/**
 * What stands together: a line that was typed with its prompt, a text of the server, a note of the page, or a
 * rule between two runs.
 * @typedef {object} Entry
 * @property {number} key
 * @property {'line' | 'out' | 'err' | 'watch' | 'note' | 'rule'} kind
 * @property {string} text without an end of line
 * @property {string} prompt in front of a line, or empty
 */

/** @typedef {'away' | 'joining' | 'joined' | 'gone'} ConsoleState gone: its process is, and another can be started */

/** @typedef {{ of: string, start: number, words: string[] }} Completions what may stand in the place of what begins at start */

/**
 * A message of the server; see playground/console/frame.go.
 * @typedef {object} ConsoleMessage
 * @property {{ lane: string, client: number }} [joined]
 * @property {{ stream: 'out' | 'err' | 'watch', text: string }} [output]
 * @property {string} [prompt]
 * @property {boolean} [done] with a prompt: a line is done
 * @property {string[]} [help] what commands take
 * @property {Completions} [completions]
 * @property {string} [gone]
 * @property {string} [ended]
 * @property {import('../../events.d.ts').Reason} [reason] what gone or ended say in English
 */

/**
 * @typedef {object} Transcript
 * @property {ConsoleState} state
 * @property {string} lane
 * @property {number} client 0 while it is none
 * @property {string} prompt
 * @property {boolean} busy a line is being done
 * @property {string[]} waiting lines that were typed meanwhile, or before one is a client
 * @property {Entry[]} entries
 * @property {number} count of all entries so far
 * @property {string[]} history what was typed, oldest first
 * @property {number} place in the history; its length where a new line is typed
 * @property {string} typed the new line, while an old one is shown
 */

/** So many lines of text are kept, and so many typed ones. */
const MOST_LINES = 1000;
const MOST_TYPED = 200;

/** @param {string[]} [history] of an earlier visit @returns {Transcript} */
export const createTranscript = (history = []) => ({
  state: 'away', lane: '', client: 0, prompt: '', busy: false, waiting: [], entries: [], count: 0, history, place: history.length, typed: '',
});

/** @param {Transcript} transcript @param {Entry['kind']} kind @param {string} text @param {string} [prompt] */
export function add(transcript, kind, text, prompt = '') {
  transcript.entries.push({ key: transcript.count++, kind, text, prompt });
  let lines = transcript.entries.reduce((sum, entry) => sum + lengthOf(entry), 0);
  while (lines > MOST_LINES && transcript.entries.length > 1) lines -= lengthOf(/** @type {Entry} */ (transcript.entries.shift()));
}

/** @param {Entry} entry */
const lengthOf = ({ text }) => text.split('\n').length;

/** The visitor asks to take part; lines that wait are entered then. @param {Transcript} transcript @param {string} lane */
export function join(transcript, lane) {
  Object.assign(transcript, { state: 'joining', lane, client: 0, prompt: '', busy: false });
}

/** Takes up what the server says. @param {Transcript} transcript @param {ConsoleMessage} message */
export function take(transcript, message) {
  if (message.joined) Object.assign(transcript, { state: 'joined', ...message.joined });
  if (message.output) add(transcript, message.output.stream, textOf(message.output));
  if (message.help) add(transcript, 'out', helpText(message.help));
  if (message.prompt) {
    transcript.prompt = message.prompt;
    transcript.state = 'joined';
  }
  if (message.done) transcript.busy = false;
  if (message.gone) leave(transcript, 'gone', wordsOf(message, message.gone));
  if (message.ended) leave(transcript, 'away', wordsOf(message, message.ended));
}

/** @param {ConsoleMessage} message @param {string} english */
const wordsOf = ({ reason }, english) => reasonWords(reason ?? textReason(english));

/** A watch's text begins and ends with empty lines, so that it stands apart where nothing else marks it. @param {{ stream: string, text: string }} output */
const textOf = ({ stream, text }) => (stream === 'watch' ? text.trim().replace(/^WATCHER::\s*/, '') : text.replace(/\n$/, ''));

/** @param {Transcript} transcript @param {'away' | 'gone'} state @param {string} why */
export function leave(transcript, state, why) {
  Object.assign(transcript, { state, busy: false, prompt: '', client: state === 'away' ? 0 : transcript.client });
  if (why) add(transcript, 'note', why);
}

/** The first of the lines that wait, to be typed anew; the others are forgotten. @param {Transcript} transcript */
export function takeBack(transcript) {
  const [first = ''] = transcript.waiting;
  transcript.waiting = [];
  return first;
}

/**
 * A line is entered. Says what is to be sent now, if anything: who types ahead waits.
 * @param {Transcript} transcript @param {string} line
 */
export function enter(transcript, line) {
  if (line && line !== transcript.history.at(-1)) transcript.history = [...transcript.history, line].slice(-MOST_TYPED);
  transcript.place = transcript.history.length;
  transcript.typed = '';
  if (line || transcript.state === 'joined') transcript.waiting.push(line);
  return next(transcript);
}

/** The next line that is to be sent, undefined if there is none now. @param {Transcript} transcript @returns {string | undefined} */
export function next(transcript) {
  if (transcript.busy || transcript.state !== 'joined' || !transcript.prompt) return undefined;
  const line = transcript.waiting.shift();
  if (line === undefined) return undefined;
  add(transcript, 'line', line, transcript.prompt);
  transcript.busy = line !== '';
  return line || next(transcript);
}

/**
 * The line before in the history, or after; what was typed stays at its end.
 * @param {Transcript} transcript @param {-1 | 1} step @param {string} now what stands in the field
 */
export function recall(transcript, step, now) {
  if (transcript.place === transcript.history.length) transcript.typed = now;
  transcript.place = Math.max(0, Math.min(transcript.history.length, transcript.place + step));
  return transcript.history[transcript.place] ?? transcript.typed;
}

/**
 * A line as far as it can go on in one way only, and in which ways it can go on then. A
 * command is complete with a space, a path may go on.
 * @param {Completions} completions
 */
export function completed({ of, start, words }) {
  const [first = '', ...others] = words;
  let common = first;
  for (const word of others) while (!word.startsWith(common)) common = common.slice(0, -1);
  if (!words.length) return { line: of, choices: [] };
  const space = others.length === 0 && !of.slice(0, start).includes('/') ? ' ' : '';
  const line = of.slice(0, start) + common + space;
  return { line, choices: line === of && others.length ? words : [] };
}

/** A text as it is spoken: not all of one that is long. @param {Entry} entry */
export function spoken({ kind, text }) {
  const lines = text.split('\n').filter((line) => line.trim());
  const words = lines.slice(0, MOST_SPOKEN).join('. ').slice(0, LONGEST_SPOKEN);
  const more = lines.length - MOST_SPOKEN;
  return { line: '', out: '', note: '', rule: '', err: t`Error: `, watch: t`Watch: ` }[kind] + words + (more > 0 ? t`, and ${more} more lines` : '');
}

const MOST_SPOKEN = 4;
const LONGEST_SPOKEN = 400;
