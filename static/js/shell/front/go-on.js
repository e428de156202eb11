// Where the visitor was: its own room, the lesson that it read last, and how many goals it
// has met, as the server and this browser have kept them.

import { listGoals, listRuns, Refused } from '../../source/api.js';
import { lastRead } from '../../lesson/pane.js';
import { solvedGoals } from '../../lesson/progress.js';
import { inLanguage, translated } from '../../text/language.js';

/** @import { LessonEntry, Room } from '../../types.d.ts' */

/**
 * @typedef {object} GoOn
 * @property {string} room the visitor's own, or empty
 * @property {string} run what was run there last, or empty
 * @property {boolean} running
 * @property {LessonEntry | undefined} lesson
 * @property {number} met
 * @property {number} goals that all lessons have
 */

/** What there is to go on with, undefined for who is here for the first time. @param {Room | undefined} room @param {LessonEntry[]} lessons in the order of the course @returns {Promise<GoOn | undefined>} */
export async function goOn(room, lessons) {
  const met = new Set(solvedGoals());
  const lesson = lessons.find(({ slug }) => slug === lastRead());
  const own = room?.own ?? '';
  if (!own && !lesson && !met.size) return undefined;
  const [newest, goals] = await Promise.all([
    own ? listRuns(own).then(({ runs }) => runs[0], ignore) : undefined,
    listGoals().then((listed) => inLanguage(listed.goals, ({ key }) => key), ignore),
  ]);
  return {
    room: own, run: newest ? translated(newest.title || newest.scenario) : '', running: newest?.state === 'running', lesson,
    met: goals?.filter(({ key }) => met.has(key)).length ?? 0, goals: goals?.length ?? 0,
  };
}

/** What it is about can be had without. @param {unknown} failure */
function ignore(failure) {
  if (!(failure instanceof Refused)) throw failure;
  return undefined;
}
