// The map of the static course: the theme, a picture, and how far the reader has come.

import { render } from '../../lit.js';
import { words } from '../../text/site.js';
import { byId } from '../../panel/panels.js';
import { remember, restoreTheme, theme, toggleTheme } from '../../ui/theme.js';
import { sketchesView } from '../welcome-view.js';

const button = byId('theme-toggle');
const nameTheme = () => { button.textContent = words.otherTheme(theme()); };

restoreTheme();
render(sketchesView(), byId('sketches'));
nameTheme();
button.addEventListener('click', () => {
  toggleTheme();
  nameTheme();
});

for (const lesson of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-questions]'))) {
  const all = Number(lesson.dataset['questions']);
  const made = Array.from({ length: all }, (_, index) => remember(`predicted ${lesson.id}-${index + 1}`)).filter((kept) => kept !== null).length;
  const done = lesson.querySelector('.map-done');
  if (done && made) done.textContent = words.predicted(made, all);
}
