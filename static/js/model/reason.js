// Why something in the log is so. See playground/event/reason.go.

/** @import { Event, Reason } from '../events.d.ts' */

/** The reason of an event; of one that was recorded before there were codes it is its words. @param {Pick<Event, 'reason' | 'why'>} event @returns {Reason | undefined} */
export const reasonOf = ({ reason, why }) => reason ?? (why ? textReason(why) : undefined);

/** @param {string} text @returns {Reason} */
export const textReason = (text) => ({ code: 'text', args: { text } });

/** Whether a reason has a code, or one that it is made of. @param {Reason | undefined} reason @param {string} code @returns {boolean} */
export const hasCode = (reason, code) => reason?.code === code
  || Object.values(reason?.args ?? {}).some((arg) => [arg].flat().some((each) => typeof each === 'object' && hasCode(each, code)));

/** The same of an event, or its words, if it was recorded before there were codes. @param {Event} event @param {string} code @param {string} words */
export const isBecause = ({ reason, why = '' }, code, words) => (reason ? hasCode(reason, code) : why.includes(words));
