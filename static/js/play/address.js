// The page's address says where a viewer stands: the lesson and the scenario, and in a
// link to an instant also the run, what is open and what is chosen.

/**
 * Where a viewer stands, or what is to change of that.
 * @typedef {object} Place
 * @property {string} [lesson]
 * @property {string} [scenario]
 * @property {string} [section] of the lesson: the scenario that is run in it
 * @property {number} [tour] the step of the tour, from 1
 * @property {string} [run] its id
 * @property {number} [at] in microseconds of the run
 * @property {number} [seq] the newest event that is shown: others of that instant may come later; 0 for all of them
 * @property {boolean} [live]
 * @property {string} [panel] the view and the panel that are open, as Views words them
 * @property {string} [subject] the key of what is chosen, or empty
 * @property {number} [clients] of the run, as the delay and the seed: they make the same again
 * @property {number} [delay] in milliseconds
 * @property {number} [seed]
 */

/** What of a place is in the address of a run's instant. */
const OF_RUN = /** @type {const} */ (['run', 'at', 'seq', 'panel', 'subject', 'clients', 'delay', 'seed']);
/** What panels were called before, in links that are still about. @type {Record<string, string>} */
const renamed = { charts: 'numbers' };

/**
 * @param {string} hash such as "#lesson=herd-effect&scenario=herd"
 * @returns {Place & { lesson: string, scenario: string }} empty where the address says nothing; of a run only where it names one
 */
export function readPlace(hash) {
  const values = new URLSearchParams(hash.replace(/^#/, ''));
  const text = (/** @type {string} */ name) => values.get(name) ?? '';
  const number = (/** @type {string} */ name) => Math.max(0, Math.trunc(Number(text(name)) || 0));
  const panel = text('panel');
  const tour = number('tour') || number('ten-minutes'); // as older links have it
  return {
    lesson: text('lesson'), scenario: text('scenario'),
    ...(tour && { tour }),
    ...(text('run') && {
      run: text('run'), at: number('at'), seq: number('seq'), panel: Object.hasOwn(renamed, panel) ? renamed[panel] ?? '' : panel,
      subject: text('subject'), clients: number('clients'), delay: number('delay'), seed: number('seed'),
    }),
  };
}

/** @param {Place} place @returns {string} */
export function writePlace(place) {
  if (place.tour) return `#tour=${place.tour}`;
  const values = new URLSearchParams();
  if (place.lesson) values.set('lesson', place.lesson);
  if (place.scenario) values.set('scenario', place.scenario);
  for (const name of place.run ? OF_RUN : []) if (place[name] !== '') values.set(name, String(place[name] ?? 0));
  return `#${values}`;
}

/** Whose step in the browser's history it is: the viewer's can be gone back from, the page's own cannot. @typedef {'viewer' | 'page'} By */

/** Makes the page's address that of a place. @param {Place} place @param {By} by */
export function goTo(place, by) {
  const address = writePlace(place);
  if (address === location.hash) return;
  if (by === 'page') history.replaceState(null, '', address);
  else history.pushState(null, '', address);
}

/**
 * The lesson that a link leads to, or empty.
 * @param {string} href such as "../../lessons/en/herd-effect"
 */
export const lessonOf = (href) => /^(?:\.\.\/)*lessons\/[a-zA-Z-]+\/([a-z0-9-]+)$/.exec(href)?.[1] ?? '';
