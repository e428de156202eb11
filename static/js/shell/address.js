// The page's address holds the lesson and the scenario, so that a link and the
// back button bring both back.

/** @typedef {{ lesson: string, scenario: string }} Place */

/**
 * @param {string} hash such as "#lesson=herd-effect&scenario=herd"
 * @returns {Place} empty where the address says nothing
 */
export function readPlace(hash) {
  const values = new URLSearchParams(hash.replace(/^#/, ''));
  return { lesson: values.get('lesson') ?? '', scenario: values.get('scenario') ?? '' };
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
