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

/** @param {Actions} actions */
export function wireKeyboard(actions) {
  keepFocus();
  const on = /** @type {HTMLInputElement} */ (byId('keys-on'));
  on.checked = remember(KEYS) !== 'no';
  on.addEventListener('change', () => keep(KEYS, on.checked ? 'yes' : 'no'));
  document.addEventListener('keydown', (event) => {
    const action = on.checked && !taken(event) && actions.byKey(event.key);
    if (!action || (typesAtConsole() && !besideConsole.includes(action))) return;
    event.preventDefault();
    actions.do(action);
  });
}

/** @param {KeyboardEvent} event */
function taken(event) {
  if (asking || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return true;
  const target = /** @type {Element} */ (event.target);
  return document.querySelector('dialog[open], :popover-open') !== null || target.closest('input, select, textarea') !== null;
}

/** Whether the console is open, and the visitor is a client there, or has the focus in it. */
function typesAtConsole() {
  const console = document.querySelector('.console');
  return console !== null && console.checkVisibility() && (console.matches('[data-state="joined"]') || console.contains(document.activeElement));
}
