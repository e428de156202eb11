// What the page says once a run has shown what a prediction is about.

import { measureWords } from '../panel/numbers/words.js';
import { mean } from '../text/format.js';
import { t } from '../text/language.js';

/** @import { MeasureName } from '../model/measures.js' */

/** What a run has measured of a lane; a lane that is alone needs no name. @typedef {{ name: MeasureName, lane: string, value: number }} Measured */
/** How a prediction stands: as the lesson says, or, where a run was otherwise, as that alone says. @typedef {'right' | 'wrong' | 'measured'} Outcome */

/** Shape and name of each. @type {Record<Outcome, { mark: string, name: string }>} */
export const outcomes = {
  right: { mark: '✓', name: t`Right#prediction` },
  wrong: { mark: '✗', name: t`Wrong#prediction` },
  measured: { mark: '=', name: t`Measured` },
};

/** @param {number} value */
const figure = (value) => (Number.isInteger(value) ? String(value) : mean(value));

/** @param {Measured[]} measured of one sort, of each lane */
const measuredWords = (measured) => t`${measureWords[/** @type {Measured} */ (measured[0]).name].title}: ${measured.map(({ lane, value }) => (measured.length > 1 ? `${lane} ${figure(value)}` : figure(value))).join(t`, `)}`;

/**
 * What was said, and what it was. @param {Outcome} outcome @param {string} said @param {string} right the right choice, which is said only where it is
 * @param {Measured[]} measured
 */
export function echoSentence(outcome, said, right, measured) {
  if (outcome === 'measured') return t`You said “${said}”. In this run it was: ${measuredWords(measured)}.`;
  if (outcome === 'right') return measured.length ? t`You said “${said}”. So it was: ${measuredWords(measured)}.` : t`You said “${said}”. So it was.`;
  return measured.length ? t`You said “${said}”. It was “${right}”: ${measuredWords(measured)}.` : t`You said “${said}”. It was “${right}”.`;
}

export const words = {
  why: t`Why?`,
};
