// The map of the static course: the theme, and how far the reader has come.

import { words } from '../../text/site.js';
import { remember, restoreTheme, theme, toggleTheme } from '../theme.js';
import { byId } from '../panels.js';

const button = byId('theme-toggle');
const nameTheme = () => { button.textContent = theme() === 'dark' ? 'Light' : 'Dark'; };

restoreTheme();
nameTheme();
button.addEventListener('click', () => {
  toggleTheme();
  nameTheme();
});

for (const entry of document.querySelectorAll('[data-questions]')) {
  const { lesson = '', questions = '' } = /** @type {HTMLElement} */ (entry).dataset;
  const all = Number(questions);
  const made = Array.from({ length: all }, (_, index) => remember(`predicted ${lesson}-${index + 1}`)).filter((kept) => kept !== null).length;
  if (made) entry.append(` (${words.predicted(made, all)})`);
}
