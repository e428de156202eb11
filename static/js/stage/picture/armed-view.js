// The faults that are armed, in words and as marks.

import { html, nothing } from '../../lit.js';
import { armedFor } from '../../model/armed.js';
import { t } from '../../text/language.js';
import { faultShape } from './fault-marks.js';

/** @import { Armed, ArmedFaults } from '../../model/armed.js' */
/** @import { Catalogue } from '../../text/catalogue.js' */

/** @param {Armed} armed @param {Catalogue} catalogue */
export const armedWords = ({ fault, when }, catalogue) => t`${catalogue.fault(fault).title} ${catalogue.moment(when).title}`;

/** Those of a lane that are for whoever comes first. @param {ArmedFaults} armed @param {Catalogue} catalogue */
export function armedMarks(armed, catalogue) {
  const shown = armedFor(armed, 0);
  return shown.length ? html`<ul class="armed">${shown.map((each) => html`<li class="fault-mark is-armed" data-fault=${each.fault}>${
    faultShape(each.fault, catalogue)}<span>${t`armed: ${armedWords(each, catalogue)}`}</span></li>`)}</ul>` : nothing;
}
