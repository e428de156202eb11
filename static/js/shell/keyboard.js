// Single keys, as long as the visitor wants them and is not typing. A key that
// is held down acts once.

import { byId } from './panels.js';

/**
 * @param {Record<string, () => void>} actions by key, in lower case
 */
export function wireKeyboard(actions) {
  const on = /** @type {HTMLInputElement} */ (byId('keys-on'));
  document.addEventListener('keydown', (event) => {
    const action = actions[event.key.toLowerCase()];
    if (!action || !on.checked || taken(event)) return;
    event.preventDefault();
    action();
  });
}

/** @param {KeyboardEvent} event */
function taken(event) {
  if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return true;
  const target = /** @type {Element} */ (event.target);
  return document.querySelector('dialog[open], :popover-open') !== null || target.closest('input, select, textarea') !== null;
}
