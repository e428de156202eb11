// What a judgement says, in words.

import { verdictWord } from '../text/format.js';
import { t } from '../text/language.js';
import { reasonWords } from '../text/reasons.js';

/** @import { Finding, Judgement, Outcome, Property } from '../types.d.ts' */

/** What each property is called, and what it means. @type {Record<Property, { name: string, means: string }>} */
export const propertyWords = {
  safe: { name: t`safe`, means: t`one holder at a time` },
  live: { name: t`live`, means: t`never stands still` },
  fair: { name: t`fair`, means: t`everybody in turn` },
  cheap: { name: t`cheap`, means: t`wakes few, asks little` },
  clean: { name: t`clean`, means: t`leaves nothing behind` },
  shared: { name: t`shared`, means: t`readers hold together` },
  timely: { name: t`timely`, means: t`keeps a deadline` },
  fenced: { name: t`fenced`, means: t`tokens only grow` },
};

/** A verdict by a mark and a word. @type {Record<Finding['verdict'], { mark: string, words: string }>} */
export const verdictWords = {
  holds: { mark: '✓', words: verdictWord('holds') },
  violated: { mark: '✗', words: verdictWord('violated') },
  undecided: { mark: '?', words: verdictWord('undecided') },
};

/** Without these it is no lock. @type {Property[]} */
const ESSENTIAL = ['safe', 'live'];

/** The sentence above the table. @param {Judgement} judgement */
export function verdictOf({ state, trials, reason }) {
  const done = trials.filter(({ outcome }) => outcome && !outcome.notRun);
  const violated = done.flatMap(({ outcome }) => outcome?.findings ?? []).filter(({ verdict }) => verdict === 'violated');
  const fatal = violated.find(({ property }) => ESSENTIAL.includes(property));
  if (fatal) return { kind: 'is-violated', mark: '✗', words: t`Not a lock: ${reasonWords(fatal.reason)}.` };
  if (violated[0]) return { kind: 'is-violated', mark: '✗', words: t`A lock with a flaw: ${reasonWords(violated[0].reason)}.` };
  if (reason) return { kind: 'is-undecided', mark: '?', words: t`The judgement could not go on: ${reasonWords(reason)}.` };
  if (state === 'stopped') return { kind: 'is-undecided', mark: '?', words: t`Stopped: no flaw found in ${done.length} of ${trials.length} trials.` };
  if (state === 'done') return summary(done, trials);
  return { kind: '', mark: '', words: done.length ? t`No flaw found so far.` : '' };
}

/** Nothing was violated. What is undecided or was not done is not passed. @param {Judgement['trials']} done @param {Judgement['trials']} all */
function summary(done, all) {
  const undecided = done.filter(({ outcome }) => outcome?.findings?.some(({ verdict }) => verdict === 'undecided')).length;
  const left = all.length - done.length;
  const words = [t`Passed ${done.length - undecided} of ${all.length} trials.`, undecided ? t`Undecided: ${undecided}.` : '', left ? t`Not done: ${left}.` : ''].filter(Boolean).join(' ');
  return undecided || !done.length ? { kind: 'is-undecided', mark: '?', words } : { kind: 'is-holds', mark: '✓', words };
}

/** How far it is. @param {Judgement} judgement */
export function progressWords({ state, ahead, millis, trials }) {
  const done = trials.filter((each) => each.state === 'done').length;
  if (state === 'waiting') return t`Waits in line, ${ahead} judgement is ahead|Waits in line, ${ahead} judgements are ahead`;
  if (!done) return t`${done} of ${trials.length} trials are done`;
  const seconds = Math.max(5, Math.ceil(millis / done * (trials.length - done) / 5000) * 5);
  return t`${done} of ${trials.length} trials are done, about ${seconds} s to go`;
}

/** Why a trial has no findings; empty if it has. @param {'waiting' | 'running' | 'done'} state @param {Outcome} [outcome] */
export function aboutTrial(state, outcome) {
  if (outcome?.notRun) return t`not done: ${reasonWords(outcome.notRun)}`;
  if (outcome) return '';
  return { running: t`is under way…`, waiting: t`comes later`, done: t`not done` }[state];
}
