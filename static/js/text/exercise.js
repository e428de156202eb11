// What the page says of the tasks and goals of a lesson.

/** @import { Reason } from '../model/goal.js' */

/** How a goal stands: as its log says it, or by the answer that the page has entered. @typedef {'met' | 'not-yet' | 'cannot-tell' | 'shown'} Standing */

/** Shape and name of each. @type {Record<Standing, { mark: string, name: string }>} */
export const standings = {
  met: { mark: '✓', name: 'Met' },
  'not-yet': { mark: '○', name: 'Not yet' },
  'cannot-tell': { mark: '?', name: 'Cannot tell' },
  shown: { mark: '◐', name: 'Done with the answer' },
};

/** Why a goal is not met, or nobody can tell, where it is not the lesson that says so. @type {Record<Exclude<Reason, 'step' | 'mistake'> | 'none' | 'other' | 'recorded', string>} */
export const reasons = {
  none: 'Nothing runs. Press “Run this” in this lesson, and do it there.',
  other: 'Another scenario runs than this goal is about. Press “Run this” in this lesson, and do it there.',
  recorded: 'A recording is shown. What you do yourself counts in a run that goes on.',
  nobody: 'You take no part yet. Open the console with the key z, and choose “Be a client”.',
  over: 'This run has ended, and nothing counts in it any more. Run it again.',
  cut: 'The beginning of this run is not here, so that nobody knows what was done in it.',
  unread: 'One of your messages could not be read, so that nobody knows what it did.',
  unseen: 'The playground does not hear from the server just now.',
};

export const words = {
  met: 'You have done it.',
  metBefore: (/** @type {string} */ day) => `You have done it, on ${day}.`,
  shown: 'The page has entered the answer in this run. It counts when you do it yourself, in a run begun anew.',
  seeDone: (/** @type {string} */ time) => `done at ${time}`,
  seeWhy: (/** @type {string} */ time) => `See what happened at ${time}`,
  enter: 'Do it for me',
  tryFirst: 'Try it first: any command in the console will do.',
  noCount: 'Then the goal below does not count in this run.',
  breakFirst: 'Try it first: break something, whatever it is.',
  notAll: 'Not all of it could be done. Is the run going on, and are you a client of it?',
  progress: (/** @type {number} */ met, /** @type {number} */ all) => `${met} of ${all} goals of this lesson met. This is kept in this browser alone.`,
  save: 'Save my progress',
  load: 'Load progress',
  clean: 'Clean slate',
  cleanAsk: 'Forget all goals, predictions and places in the lessons that this browser keeps?',
  loaded: (/** @type {number} */ count) => `Loaded: ${count} ${count === 1 ? 'entry' : 'entries'}.`,
  noProgress: 'This file is no progress that was saved here.',
};
