// What scripts need of the style sheets: the width from which there are columns, and the
// sheets of what is not seen first, each of which is loaded with that.

/** Where the page is one column, as in the style sheets. */
export const narrow = matchMedia('(width <= 60rem)');

/** Those that are loaded, or on their way. @type {Map<string, Promise<unknown>>} */
const styles = new Map();

/** Loads a style sheet, once; a saved page has it already. Without it, what it is for is plain. @param {string} name @returns {Promise<unknown>} */
export function style(name) {
  const link = /** @type {HTMLLinkElement | null} */ (document.getElementById(`style-${name}`));
  const before = styles.get(name);
  if (before || !link) return before ?? Promise.resolve();
  const loaded = new Promise((done) => { link.onload = link.onerror = done; });
  link.disabled = false;
  styles.set(name, loaded);
  return loaded;
}
