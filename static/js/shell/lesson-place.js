// Where the lesson stands: how wide it is, and whether it is shown at all.

import { Edge } from './edge.js';
import { byId } from './panels.js';
import { keep, remember } from './theme.js';

export function wireLessonPlace() {
  new Edge(byId('lesson-edge'), byId('lesson'), { property: '--lesson-width', unit: 'rem', of: 'width' }).turnTo('lesson-width');
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
