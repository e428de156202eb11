// Single keys, as long as the visitor wants them and is not typing. A key that
// is held down acts once.

import { byId } from './panels.js';

/** @import { Actions } from '../view/actions.js' */

/** @param {Actions} actions */
export function wireKeyboard(actions) {
  const on = /** @type {HTMLInputElement} */ (byId('keys-on'));
  document.addEventListener('keydown', (event) => {
    const action = on.checked && !taken(event) && actions.byKey(event.key);
    if (!action) return;
    event.preventDefault();
    actions.do(action);
  });
}

/** @param {KeyboardEvent} event */
function taken(event) {
  if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return true;
  const target = /** @type {Element} */ (event.target);
  return document.querySelector('dialog[open], :popover-open') !== null || target.closest('input, select, textarea') !== null;
}
