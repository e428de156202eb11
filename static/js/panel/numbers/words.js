// The measures in words: how each is called, what it is, and who says so.

import { measures } from '../../model/measures.js';
import { mean, span } from '../../text/format.js';
import { t } from '../../text/language.js';

/** @import { MeasureName } from '../../model/measures.js' */

/**
 * @typedef {object} MeasureWords
 * @property {string} title
 * @property {string} definition
 * @property {keyof typeof sources} source
 */

/** Who knows it. */
export const sources = {
  wire: t`the wire: read from the messages as they pass`,
  server: t`the server: what it did to its znodes, as the playground’s observer was told`,
  belief: t`belief: what the clients say of themselves`,
};

/** @type {Record<MeasureName, MeasureWords>} */
export const measureWords = {
  wakeups: {
    title: t`woken per release`, source: 'belief',
    definition: t`How many waiting clients a release wakes, or the end of a session that frees the lock. A release counts once everybody whom it woke has acquired, waits again or is gone.`,
  },
  wasted: {
    title: t`for nothing per release`, source: 'belief',
    definition: t`How many of those did not acquire but waited again or gave up.`,
  },
  joining: {
    title: t`woken by joining per acquisition`, source: 'belief',
    definition: t`How many waiting clients were woken because another one joined the queue, divided by the acquisitions. No release costs that: it is counted apart.`,
  },
  requests: {
    title: t`requests per acquisition`, source: 'wire',
    definition: t`What the clients sent to the server, without heartbeats and what belongs to the session (connect, close, auth, setting watches anew), divided by the acquisitions.`,
  },
  notifications: {
    title: t`notifications per acquisition`, source: 'wire',
    definition: t`The watch events that reached the clients, divided by the acquisitions. Not each wakes somebody who waits.`,
  },
  median: {
    title: t`hand-over, median`, source: 'belief',
    definition: t`A hand-over is the time from a release that leaves nobody holding to the next acquisition, by a client that was waiting. Half of them took at most this long.`,
  },
  p99: {
    title: t`hand-over, p99`, source: 'belief',
    definition: t`At most one hand-over in a hundred took longer than this. With fewer than a hundred it is the longest. Lengths are kept to a thousandth.`,
  },
  queue: {
    title: t`queue length`, source: 'server',
    definition: t`The znodes in the lock directory at this instant, the holder’s among them. The chart shows the most in each step of time.`,
  },
  believers: {
    title: t`believers at once`, source: 'belief',
    definition: t`The clients that believe at this instant that they hold, also one that is cut off and has heard nothing else. More than one is right for readers, and where there are permits. The chart shows the most in each step of time.`,
  },
  acquisitions: {
    title: t`acquisitions`, source: 'belief',
    definition: t`How often a client acquired the lock. Like every sum here, it ends when the clients are told to stop.`,
  },
};

/** @param {MeasureName} name @param {number} value */
export function measureValue(name, value) {
  if (!Number.isFinite(value)) return '–';
  const { kind } = measures[name];
  if (kind === 'percentile') return span(value);
  return kind === 'ratio' ? mean(value) : String(value);
}

/** A value as far as it is told. @param {MeasureName} name @param {number} value */
function told(name, value) {
  const { kind } = measures[name];
  if (kind === 'ratio') return Number(value.toFixed(value < 100 ? 1 : 0));
  if (kind !== 'percentile') return value;
  const unit = value >= 1e6 ? 1e5 : value >= 1e3 ? 1e3 : 1;
  return Math.round(value / unit) * unit;
}

/** How a value has changed, with its sign, as far as both are told. @param {MeasureName} name @param {number} was @param {number} now */
export function measureChange(name, was, now) {
  const change = told(name, now) - told(name, was);
  if (!Number.isFinite(change)) return '–';
  const sign = change > 0 ? '+' : '−';
  return change ? `${sign}${measureValue(name, Math.abs(change))}` : '=';
}

/**
 * How many times as much the greatest is as the least: 7.1×; nothing when they are
 * about the same.
 * @param {number[]} values
 */
export function times(values) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  if (least === 0 && most > 0) return t`against 0`;
  return least > 0 && most / least >= 1.05 ? `${mean(most / least)}×` : '';
}

/**
 * A measure of each lane in a sentence: woken per release: Herd 7.1, Predecessor 1.0.
 * A lane that is alone needs no name.
 * @param {MeasureName} name
 * @param {{ lane: string, value: number }[]} lanes
 */
export const measureSentence = (name, lanes) =>
  t`${measureWords[name].title}: ${lanes.map(({ lane, value }) => `${lanes.length > 1 ? `${lane} ` : ''}${measureValue(name, value)}`).join(t`, `)}`;

