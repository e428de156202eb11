// Single keys, as long as the visitor wants them and is not typing. A key that
// is held down acts once.

import { asking } from './ending.js';
import { keepFocus } from '../ui/focus.js';
import { byId } from '../panel/panels.js';
import { keep, remember } from '../ui/theme.js';

/** @import { ActionName } from '../text/actions.js' */
/** @import { Actions } from '../ui/actions.js' */

/** Under what name it is kept whether single keys work. */
const KEYS = 'keys';

/**
 * What a key does also beside a console at which the visitor types. The others end, hide
 * or repaint something: there they rest, as a line may go astray.
 * @type {ActionName[]}
 */
const besideConsole = ['break', 'next', 'pause', 'play', 'live', 'eventBack', 'eventOn', 'markBack', 'markOn', 'console', 'help', 'closeResult', 'leave'];

/** @param {Actions} actions @param {() => boolean} typing whether the visitor types at a console */
export function wireKeyboard(actions, typing) {
  keepFocus();
  const on = /** @type {HTMLInputElement} */ (byId('keys-on'));
  on.checked = remember(KEYS) !== 'no';
  on.addEventListener('change', () => keep(KEYS, on.checked ? 'yes' : 'no'));
  document.addEventListener('keydown', (event) => {
    const action = on.checked && !taken(event) && actions.byKey(event.key);
    if (!action || (typing() && !besideConsole.includes(action))) return;
    event.preventDefault();
    actions.do(action);
  });
}

/** @param {KeyboardEvent} event */
function taken(event) {
  if (asking || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return true;
  const target = /** @type {Element} */ (event.composedPath()[0]); // inside of the editor's shadow tree, too
  return document.querySelector('dialog[open], :popover-open') !== null || target.closest('input, select, textarea, [contenteditable=true]') !== null;
}
