// The page's address holds the lesson and the scenario, so that a link and the
// back button bring both back. A link to a moment holds the run and its instant, too.

import { milliseconds } from '../text/format.js';
import { t } from '../text/language.js';
import { keyOf } from './subject.js';

/** @import { Played } from '../shell/player.js' */

/** @typedef {{ lesson: string, scenario: string }} Place */

/**
 * A moment of a run: all that brings it back, or makes the same run again.
 * @typedef {object} Moment
 * @property {string} run its id
 * @property {number} at in microseconds of the run
 * @property {number} seq the newest event that was shown: others of that instant may have come later; 0 in older links
 * @property {string} panel that was open
 * @property {string} subject the key of what was chosen, or empty
 * @property {number} clients
 * @property {number} delay in milliseconds
 * @property {number} seed
 */

/**
 * @param {string} hash such as "#lesson=herd-effect&scenario=herd"
 * @returns {Place} empty where the address says nothing
 */
export function readPlace(hash) {
  const values = new URLSearchParams(hash.replace(/^#/, ''));
  return { lesson: values.get('lesson') ?? '', scenario: values.get('scenario') ?? '' };
}

/** What panels were called before, in links that are still about. @type {Record<string, string>} */
const renamed = { charts: 'numbers' };

/** @param {string} hash @returns {Moment | undefined} undefined where the address names no run */
export function readMoment(hash) {
  const values = new URLSearchParams(hash.replace(/^#/, ''));
  const run = values.get('run');
  const number = (/** @type {string} */ name) => Math.max(0, Math.trunc(Number(values.get(name)) || 0));
  const panel = values.get('panel') ?? '';
  return run ? {
    run, at: number('at'), seq: number('seq'), panel: Object.hasOwn(renamed, panel) ? renamed[panel] ?? '' : panel,
    subject: values.get('subject') ?? '',
    clients: number('clients'), delay: number('delay'), seed: number('seed'),
  } : undefined;
}

/** @param {Place} place @param {Moment} moment @returns {string} */
export function writeMoment(place, moment) {
  const values = new URLSearchParams(writePlace(place).slice(1));
  for (const [name, value] of Object.entries(moment)) if (value !== '') values.set(name, String(value));
  return `#${values}`;
}

/**
 * @param {Place} place
 * @returns {string}
 */
export function writePlace(place) {
  const values = new URLSearchParams();
  if (place.lesson) values.set('lesson', place.lesson);
  if (place.scenario) values.set('scenario', place.scenario);
  return `#${values}`;
}

/**
 * The address of what the visitor sees now, without the page's own.
 * @param {Pick<Played, 'run' | 'playback' | 'subject'>} played @param {string} panel that is open @param {string} hash of the page now
 */
export function momentAddress({ run, playback, subject }, panel, hash) {
  if (!run) return hash;
  const place = { ...readPlace(hash), scenario: run.scenario };
  const { at, count } = playback.playhead.instant(performance.now());
  return writeMoment(place, { run: run.id, at: Math.round(at), seq: count, panel, subject: keyOf(subject), clients: run.clients, delay: milliseconds(run.delay), seed: run.seed });
}

/**
 * Puts a link to what is seen now into the clipboard, or into the bar of addresses
 * where that is forbidden. Returns a sentence that says which.
 * @param {Pick<Played, 'run' | 'playback' | 'subject'>} played @param {string} panel that is open
 */
export async function copyMoment(played, panel) {
  const hash = momentAddress(played, panel, location.hash);
  const address = new URL(hash, location.href).href;
  const copied = await navigator.clipboard?.writeText(address).then(() => true, () => false);
  if (!copied) history.replaceState(null, '', hash);
  return copied ? t`A link to this moment is in the clipboard.` : t`The address of the page is a link to this moment now.`;
}

/**
 * Goes to a place. The first place of a visit leaves no step to go back to.
 * @param {Place} place
 * @param {boolean} replace
 */
export function goTo(place, replace) {
  const address = writePlace(place);
  if (address === location.hash) return;
  if (replace) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
}

/**
 * The lesson that a link leads to, or empty.
 * @param {string} href such as "../../lessons/en/herd-effect"
 */
export const lessonOf = (href) => /^(?:\.\.\/)*lessons\/[a-zA-Z-]+\/([a-z0-9-]+)$/.exec(href)?.[1] ?? '';

/** The address of the ten minutes has the step at which they are. @param {number} step from 0 */
export const addressOfStep = (step) => `#ten-minutes=${step + 1}`;

/** The step of the ten minutes that an address asks for, from 0; -1 for none. @param {string} hash */
export const stepOf = (hash) => Math.trunc(Number(new URLSearchParams(hash.replace(/^#/, '')).get('ten-minutes')) || 0) - 1;
