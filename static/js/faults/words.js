// What comes again and again, in words.

import { t } from '../text/language.js';

/** @import { Catalogue } from '../text/catalogue.js' */

/** What is on, in words; empty for nothing. @param {Map<string, number>} injection @param {Catalogue} catalogue */
export const injectionWords = (injection, catalogue) => catalogue.repetitions.flatMap(({ fault, words }) => {
  const every = injection.get(fault);
  return every ? [t`${words.toLowerCase()} every ${every / 1000} s`] : [];
}).join(t`, `);
