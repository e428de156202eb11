// One stop of the tab key for many buttons side by side or below one another: the
// arrow keys go from one to the next. The button that had the focus last is the stop.

/** @type {Record<string, (index: number, last: number) => number>} */
const moves = {
  ArrowRight: (index, last) => Math.min(index + 1, last), ArrowDown: (index, last) => Math.min(index + 1, last),
  ArrowLeft: (index) => Math.max(index - 1, 0), ArrowUp: (index) => Math.max(index - 1, 0),
  Home: () => 0, End: (_, last) => last,
};

/** @param {Element} group */
const buttonsOf = (group) => [...group.querySelectorAll('button')];

/** For the keydown event of a group of buttons. @param {KeyboardEvent} event */
export function rove(event) {
  const move = event.altKey || event.ctrlKey || event.metaKey ? undefined : moves[event.key];
  if (!move) return;
  const buttons = buttonsOf(/** @type {Element} */ (event.currentTarget));
  const index = buttons.findIndex((each) => each === event.target);
  if (index < 0) return;
  event.preventDefault();
  buttons[move(index, buttons.length - 1)]?.focus();
}

/** For the focusin event of a group of buttons: who has the focus is the stop. @param {FocusEvent} event */
export function stopHere(event) {
  for (const each of buttonsOf(/** @type {Element} */ (event.currentTarget))) each.tabIndex = each === event.target ? 0 : -1;
}

/**
 * Gives a group that was drawn anew its one stop, when the old one is gone: the first
 * button; and the focus, when that is gone with it.
 * @param {Element | null} group
 * @param {boolean} [focused] one of its buttons had the focus before
 */
export function keepStop(group, focused = false) {
  const buttons = group ? buttonsOf(group) : [];
  if (!buttons.some((each) => each.tabIndex === 0)) buttons[0]?.setAttribute('tabindex', '0');
  if (focused && document.activeElement === document.body) buttons.find((each) => each.tabIndex === 0)?.focus();
}
