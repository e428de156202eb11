// What the page says of the tasks and goals of a lesson.

import { t } from '../text/language.js';

/** @import { Reason } from '../model/goal.js' */

/** How a goal stands: as its log says it, or by the answer that the page has entered. @typedef {'met' | 'not-yet' | 'cannot-tell' | 'shown' | 'to-begin'} GoalState */

/** Shape and name of each. @type {Record<GoalState, { mark: string, name: string }>} */
export const goalStates = {
  met: { mark: '✓', name: t`Met` },
  'not-yet': { mark: '○', name: t`Not yet` },
  'cannot-tell': { mark: '?', name: t`Cannot tell` },
  shown: { mark: '◐', name: t`Done with the answer` },
  'to-begin': { mark: '○', name: t`To begin` },
};

/** Why a goal is not met, or nobody can tell, where it is not the lesson that says so. @type {Record<Exclude<Reason, 'step' | 'mistake'> | 'none' | 'other' | 'recorded', string>} */
export const reasons = {
  none: t`Press “Run this” in this lesson, and do it there.`,
  other: t`Another scenario runs than this goal is about. Press “Run this” in this lesson, and do it there.`,
  recorded: t`A recording is shown. What you do yourself counts in a run that goes on.`,
  nobody: t`You take no part yet. Open the console with the key z, and choose “Be a client”.`,
  over: t`This run has ended, and nothing counts in it any more. Run it again.`,
  cut: t`The beginning of this run is not here, so that nobody knows what was done in it.`,
  unread: t`One of your messages could not be read, so that nobody knows what it did.`,
  unseen: t`The playground does not hear from the server just now.`,
};

export const words = {
  met: t`You have done it.`,
  metBefore: (/** @type {string} */ day) => t`You have done it, on ${day}.`,
  fromNow: t`What was done in this run before this lesson was opened does not count for it.`,
  shown: t`The page has entered the answer in this run. It counts when you do it yourself, in a run begun anew.`,
  seeDone: (/** @type {string} */ time) => t`done at ${time}`,
  seeWhy: (/** @type {string} */ time) => t`See what happened at ${time}`,
  enter: t`Do it for me`,
  tryFirst: t`Try it first: any command in the console will do.`,
  noCount: t`Then the goal below does not count in this run.`,
  breakFirst: t`Try it first: break something, whatever it is.`,
  notAll: t`Not all of it could be done. Is the run going on, and are you a client of it?`,
  progress: (/** @type {number} */ met, /** @type {number} */ all) => t`${met} of ${all} goals of this lesson met. This is kept in this browser alone.`,
  save: t`Save my progress`,
  load: t`Load progress`,
  clean: t`Clean slate`,
  cleanAsk: t`Forget all goals, predictions and places in the lessons that this browser keeps?`,
  loaded: (/** @type {number} */ count) => t`Loaded: ${count} entry.|Loaded: ${count} entries.`,
  noProgress: t`This file is no progress that was saved here.`,
};
