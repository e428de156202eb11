// What a reader has done in the lessons, as this browser keeps it; as a file it goes to
// another one.

import { forget, keep, remember } from '../ui/theme.js';

/** How the names begin under which it is kept: goals, predictions and what a run has shown of them, and places. */
const BEGINNINGS = ['solved ', 'predicted ', 'outcome ', 'place '];
const FORMAT = 'zkplayground-progress';
/** The longest name and value, and the most of them, that are taken from a file. */
const LONGEST = 500;
const MOST = 1000;

/** The key that a goal had in the lesson where it was before, by the one that it has. @type {Record<string, string>} */
const BEFORE = { 'client-api/by-version': 'znodes/by-version' };

/** When a goal was met, in ISO 8601, or null. @param {string} goal */
export const solvedAt = (goal) => remember(`solved ${goal}`) ?? remember(`solved ${BEFORE[goal] ?? goal}`);

/** Notes that a goal is met. Says whether that is new. @param {string} goal @param {Date} when */
export function solve(goal, when) {
  const news = !solvedAt(goal);
  if (news) keep(`solved ${goal}`, when.toISOString());
  return news;
}

/** The keys of the goals that were met. */
export const solvedGoals = () => [
  ...names().filter((name) => name.startsWith('solved ')).map((name) => name.slice('solved '.length)),
  ...Object.keys(BEFORE).filter((goal) => !remember(`solved ${goal}`) && solvedAt(goal)),
];

/** Whether the page has entered the answer in a run. @param {string} goal @param {string} run */
export const wasShown = (goal, run) => remember(`shown ${goal}`) === run;

/** @param {string} goal @param {string} run */
export const show = (goal, run) => keep(`shown ${goal}`, run);

/**
 * How many events a run had when a lesson was open in it for the first time: what was
 * done before is not the lesson's.
 * @param {string} lesson @param {string} run @param {number} events that it has now
 */
export function openedAt(lesson, run, events) {
  const [opened, before] = (remember(`opened ${lesson}`) ?? '').split(' ');
  if (opened === run) return Number(before);
  keep(`opened ${lesson}`, `${run} ${events}`);
  return events;
}

/** @param {string} name */
const isProgress = (name) => BEGINNINGS.some((beginning) => name.startsWith(beginning));

/** The names under which something is kept. */
function names() {
  try {
    return Object.keys(localStorage).filter(isProgress).sort();
  } catch {
    return []; // Storage may be forbidden.
  }
}

/** All of it, as the text of a file. */
export const exported = () => JSON.stringify({ format: FORMAT, version: 1, kept: Object.fromEntries(names().map((name) => [name, remember(name)])) }, undefined, 2);

/**
 * Takes it over from such a file, beside what is kept. Says how much that was, or
 * undefined when it is no such file; then nothing is taken.
 * @param {string} text
 */
export function imported(text) {
  const entries = entriesOf(text);
  for (const [name, value] of entries ?? []) keep(name, value);
  return entries?.length;
}

/** @param {string} text @returns {[string, string][] | undefined} */
function entriesOf(text) {
  try {
    const { format, version, kept } = JSON.parse(text);
    const entries = Object.entries(kept);
    const good = format === FORMAT && version === 1 && entries.length <= MOST
      && entries.every(([name, value]) => isProgress(name) && typeof value === 'string' && name.length + value.length <= LONGEST);
    return good ? /** @type {[string, string][]} */ (entries) : undefined;
  } catch {
    return undefined;
  }
}

/** Forgets all of it. */
export function clean() {
  for (const name of names()) forget(name);
}
