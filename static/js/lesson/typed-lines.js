// The console's commands in a lesson: each gets a button that types it there, for the
// reader to enter. A lesson that is printed, or read without a server, has none.

import { t } from '../text/language.js';
import { shownLine, typedLine } from './own-znodes.js';

/** Words that a line at the console begins with. */
const COMMAND = /^(create|get|set|ls|stat|delete|deleteall|sync|addWatch|getEphemerals|getAllChildrenNumber|getAcl|setAcl|removewatches) \S/;
/** A command in the text is told from a word by its path; these need none. */
const IN_TEXT = /^(help|quit)$|^[a-zA-Z]+ (-\w+ )*\/\S*/;
const ALONE = /^(help|quit|close|history|whoami|version)$/;

/** Where a command is named, not to be typed. */
const NAMED = 'a, label, summary, legend, h1, h2, h3, table, .predict, .goal';

/** A line whose numbers the page fills in. @typedef {{ line: string, place: Text }} OwnLine */

/** @param {Element} article @param {(line: string) => void} type @returns {OwnLine[]} */
export function wireLines(article, type) {
  const lesson = article.querySelector('.lesson');
  if (!lesson?.querySelector('a[href="#stage-console"], .task')) return [];
  /** @type {OwnLine[]} */ const own = [];
  for (const block of lesson.querySelectorAll('pre > code')) {
    const lines = (block.textContent ?? '').trimEnd().split('\n');
    if (!lines.every((line) => COMMAND.test(line) || ALONE.test(line))) continue;
    const acts = actsOf(block);
    block.replaceChildren(...lines.flatMap((line, index) => {
      const act = acts.find((each) => each !== line && shownLine(each) === line);
      const place = new Text(line);
      if (act) own.push({ line: act, place });
      return [...(index ? ['\n'] : []), place, button(line, act ? () => type(place.data === line ? typedLine(act) : place.data) : type)];
    }));
  }
  for (const code of lesson.querySelectorAll(':not(pre) > code')) {
    const line = code.textContent ?? '';
    if (IN_TEXT.test(line) && (COMMAND.test(line) || ALONE.test(line)) && !code.closest(NAMED)) code.after(button(line, type));
  }
  return own;
}

/** The lines that a task knows as what does it. @param {Element} block @returns {string[]} */
function actsOf(block) {
  const acts = JSON.parse(block.closest('.task')?.getAttribute('data-acts') ?? '[]');
  return acts.filter((/** @type {unknown} */ act) => typeof act === 'string');
}

/** Its words are no text of the lesson: they are not copied with it. @param {string} line @param {(line: string) => void} type */
function button(line, type) {
  const made = Object.assign(document.createElement('button'), { type: 'button', className: 'type-line', ariaLabel: t`Type it: ${line}`, title: t`Types it at the console; Enter runs it` });
  made.dataset['says'] = t`Type it`;
  made.addEventListener('click', () => type(line));
  return made;
}
