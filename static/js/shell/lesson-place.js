// Where the lesson stands: how wide it is, and whether it is shown at all.

import { byId } from './panels.js';
import { keep, rem, remember } from './theme.js';

export function wireLessonPlace() {
  wireEdge(byId('lesson-edge'));
  wireToggle(byId('lesson-toggle'));
}

/** @param {HTMLElement} button */
function wireToggle(button) {
  /** @param {boolean} open */
  const set = (open) => {
    if (!open && byId('lesson').contains(document.activeElement)) button.focus();
    document.body.classList.toggle('no-lesson', !open);
    button.setAttribute('aria-expanded', String(open));
    keep('lesson', open ? 'open' : 'closed');
  };
  button.addEventListener('click', () => set(document.body.classList.contains('no-lesson')));
  if (remember('lesson') === 'closed') set(false);
}

const NARROW = 15;
const WIDE = 45;

/** The edge can be dragged, or moved by the arrow keys. @param {HTMLElement} edge */
function wireEdge(edge) {
  let width = 22;
  /** @param {number} rems */
  const set = (rems) => {
    width = Math.min(WIDE, Math.max(NARROW, rems));
    document.documentElement.style.setProperty('--lesson-width', `${width}rem`);
    edge.setAttribute('aria-valuenow', String(Math.round(width)));
    keep('lesson-width', String(width));
  };
  edge.addEventListener('pointerdown', (event) => edge.setPointerCapture(event.pointerId));
  edge.addEventListener('pointermove', (event) => edge.hasPointerCapture(event.pointerId) && set(event.clientX / rem()));
  edge.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step) set(width + step);
  });
  set(Number(remember('lesson-width')) || width);
}
