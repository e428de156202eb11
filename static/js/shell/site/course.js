// The map of the static course: the theme, and how far the reader has come.

import { words } from '../../text/site.js';
import { byId } from '../panels.js';
import { remember, restoreTheme, theme, toggleTheme } from '../theme.js';

const button = byId('theme-toggle');
const nameTheme = () => { button.textContent = words.otherTheme(theme()); };

restoreTheme();
nameTheme();
button.addEventListener('click', () => {
  toggleTheme();
  nameTheme();
});

for (const entry of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-questions]'))) {
  const { lesson = '', questions = '' } = entry.dataset;
  const all = Number(questions);
  const made = Array.from({ length: all }, (_, index) => remember(`predicted ${lesson}-${index + 1}`)).filter((kept) => kept !== null).length;
  entry.hidden = made === 0;
  entry.textContent = words.predicted(made, all);
}
