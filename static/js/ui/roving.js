// One stop of the tab key for many buttons side by side or below one another: the
// arrow keys go from one to the next. The button that had the focus last is the stop.

/** Where each key leads, in rows of so many. @type {Record<string, (index: number, row: number) => number>} */
const moves = {
  ArrowRight: (index) => index + 1, ArrowLeft: (index) => index - 1,
  ArrowDown: (index, row) => index + row, ArrowUp: (index, row) => index - row,
  Home: () => 0, End: () => Infinity,
};
/** Those of a list that has rows. @type {typeof moves} */
const pages = { PageDown: (index, row) => index + 10 * row, PageUp: (index, row) => index - 10 * row };

/** @param {Element} group */
const buttonsOf = (group) => [...group.querySelectorAll('button')];

/** For the keydown event of a group of buttons. @param {KeyboardEvent} event @param {number} [row] how many are side by side */
export function rove(event, row = 1) {
  const move = event.altKey || event.ctrlKey || event.metaKey ? undefined : moves[event.key] ?? (row > 1 ? pages[event.key] : undefined);
  const buttons = buttonsOf(/** @type {Element} */ (event.currentTarget));
  const index = buttons.findIndex((each) => each === event.target);
  if (!move || index < 0) return;
  event.preventDefault();
  buttons[Math.max(0, Math.min(move(index, row), buttons.length - 1))]?.focus();
}

/** The same where the group has rows, as wide as there is room. @param {KeyboardEvent} event */
export function roveInRows(event) {
  const tops = buttonsOf(/** @type {Element} */ (event.currentTarget)).map(({ offsetTop }) => offsetTop);
  rove(event, tops.filter((top) => top === tops[0]).length);
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
