// Light or dark: the visitor's choice, or else the system's.

const KEY = 'theme';

/** @returns {'light' | 'dark'} the theme in force */
export function theme() {
  const chosen = document.documentElement.dataset['theme'];
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

/** Takes up the choice of an earlier visit. */
export function restoreTheme() {
  const chosen = remember(KEY);
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset['theme'] = chosen;
}

/** @returns {'light' | 'dark'} the new theme */
export function toggleTheme() {
  const next = theme() === 'dark' ? 'light' : 'dark';
  document.documentElement.dataset['theme'] = next;
  keep(KEY, next);
  return next;
}

/** True when the visitor wants nothing to move. */
export const reducedMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** The size of the page's type in pixels. */
export const rem = () => parseFloat(getComputedStyle(document.documentElement).fontSize);

/**
 * What an earlier visit kept, or null. Storage may be forbidden.
 * @param {string} key
 */
export function remember(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** @param {string} key @param {string} value */
export function keep(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    return; // Private windows may refuse: the choice then lasts as long as the page.
  }
}

/** @param {string} key */
export function forget(key) {
  try {
    localStorage.removeItem(key);
  } catch {
    return; // As above: then nothing was kept.
  }
}
