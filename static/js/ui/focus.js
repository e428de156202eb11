// The focus always has a home. When what had it is gone, hidden or switched off, the
// nearest place that is left takes it: otherwise it falls to the page itself, where what
// is typed next would be shortcuts.

/** What had the focus last, and what is around that, inside out. @type {Element[]} */
let around = [];

/** From now on the focus does not get lost. */
export function keepFocus() {
  document.addEventListener('focusin', ({ target }) => { around = chain(/** @type {Element} */ (target)); });
  document.addEventListener('focusout', ({ relatedTarget }) => relatedTarget || requestAnimationFrame(restoreFocus));
  // Before a key is looked at: so it goes to where the focus should have been.
  document.addEventListener('keydown', restoreFocus, { capture: true });
}

/** Gives the focus a home, if it has lost the one it had. */
export function restoreFocus() {
  if (document.activeElement && document.activeElement !== document.body) return;
  const [had, ...places] = around;
  if (!had) return;
  around = [];
  if (canHave(had)) return; // the visitor has clicked beside it
  const main = document.querySelector('main');
  for (const place of main ? [...places, main] : places) {
    const home = place.isConnected ? homeIn(place) : undefined;
    home?.focus({ preventScroll: true });
    if (home && document.activeElement === home) return;
  }
}

/** @param {Element | null} element @returns {Element[]} */
const chain = (element) => (element && element !== document.body ? [element, ...chain(element.parentElement)] : []);

/** A place itself, where it can have the focus, or else the first thing in it that can. @param {Element} place @returns {HTMLElement | undefined} */
function homeIn(place) {
  const all = place.matches('[tabindex]') ? [place] : [...place.querySelectorAll(FIELDS), ...place.querySelectorAll(FOCUSABLE)];
  return /** @type {HTMLElement[]} */ (all).find(canHave);
}

/** Where something was typed, that goes before all else. */
const FIELDS = 'input[type=text]';
const FOCUSABLE = 'button, a[href], summary, input, select, textarea, [tabindex]';

/** @param {Element} element */
const canHave = (element) => element.isConnected && element.checkVisibility({ visibilityProperty: true }) && !element.matches(':disabled, [inert] *');
