// The steps that were done by hand, in words.

import { t } from '../../text/language.js';

/** @import { Catalogue } from '../../text/catalogue.js' */
/** @import { StepSpec } from '../../types.d.ts' */

/**
 * One step of a script in words.
 * @param {StepSpec} step
 * @param {Catalogue} catalogue
 */
export function stepWords(step, catalogue) {
  const who = step.lane ? t`client ${step.client} in ${step.lane}` : t`client ${step.client}`;
  if (step.deliver) return step.dir === 'in' ? t`deliver ${operation(step.deliver)} to ${who}` : t`deliver ${operation(step.deliver)} from ${who}`;
  if (step.drop) return step.dir === 'in' ? t`drop ${operation(step.drop)} to ${who}` : t`drop ${operation(step.drop)} from ${who}`;
  if (step.until) return t`deliver until ${who}: ${step.until}`;
  if (step.await) return t`wait for ${who}: ${step.await}`;
  return t`${catalogue.fault(step.fault ?? '').title}: ${who}`;
}

/** @param {string} name */
const operation = (name) => (name === '*' ? t`whatever waits` : name);
