// Where the lesson stands: how wide it is, whether it is shown at all, and which one was
// read last.

import { narrow } from '../ui/style.js';
import { Edge } from '../ui/edge.js';
import { byId } from '../ui/dom.js';
import { keep, remember } from '../ui/theme.js';

/** Under what name it is kept which lesson was read last. */
const READ = 'lesson-read';

/** @param {string} slug */
export const keepRead = (slug) => keep(READ, slug);

export const lastRead = () => remember(READ);

export function wireLessonPane() {
  new Edge(byId('lesson-edge'), byId('lesson'), { property: '--lesson-width', unit: 'rem', of: 'width' }).turnTo('lesson-width');
  byId('lesson-toggle').addEventListener('click', toggleLesson);
  if (remember('lesson') === 'closed') setOpen(false);
}

/** Shows the lesson, or takes it away. On a narrow page it takes the place of the lanes. */
export function toggleLesson() {
  const { classList } = document.body;
  if (narrow.matches) read(!classList.contains('reading'));
  else setOpen(classList.contains('no-lesson'));
}

/** @param {boolean} open */
function setOpen(open) {
  const button = byId('lesson-toggle');
  if (!open && byId('lesson').contains(document.activeElement)) button.focus();
  document.body.classList.toggle('no-lesson', !open);
  button.setAttribute('aria-expanded', String(open));
  keep('lesson', open ? 'open' : 'closed');
}

/** How far the lanes, and the lesson, were scrolled when the other came. */
const left = { lanes: 0, lesson: 0 };

/** On a narrow page the lesson and the lanes take turns. @param {boolean} on */
export function read(on) {
  const { classList } = document.body;
  if (classList.contains('reading') === on) return;
  left[on ? 'lanes' : 'lesson'] = scrollY;
  classList.toggle('reading', on);
  scrollTo(0, left[on ? 'lesson' : 'lanes']);
}
