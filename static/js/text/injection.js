// What comes again and again, in words.

import { t } from './language.js';

/** What can come again and again, in words, and its rate to begin with. @type {[fault: string, words: string, seconds: number][]} */
export const SWITCHES = [['crash', t`Crashes`, 8], ['expire', t`Session expiries`, 12]];

/** What is on, in words; empty for nothing. @param {Map<string, number>} injection */
export const injectionWords = (injection) => SWITCHES.flatMap(([fault, words]) => {
  const every = injection.get(fault);
  return every ? [t`${words.toLowerCase()} every ${every / 1000} s`] : [];
}).join(t`, `);
