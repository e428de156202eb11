// The table of the measures: was, now and the change, a row for each lane, so that
// the lanes stand right below each other.

import { instant, span } from '../../text/format.js';
import { t } from '../../text/language.js';
import { measureChange, measureValue, measureWords, sources, times } from './words.js';
import { html, nothing, svg } from '../../lit.js';
import { measureNames, valueOf } from '../../model/measures.js';

/** @import { MeasureName, Numbers } from '../../model/measures.js' */

/**
 * @typedef {object} Compared
 * @property {number} wasAt
 * @property {number} nowAt
 * @property {boolean} since now counts only what came after was
 * @property {{ name: string, was: Numbers, now: Numbers }[]} lanes
 */

/** How long the longest bar is, in pixels. */
const BAR = 64;

/** @param {Compared} compared */
export function tableView({ wasAt, nowAt, since, lanes }) {
  const several = lanes.length > 1;
  return html`<table>
    <caption class="unseen">${t`The measures at ${instant(wasAt)} and at ${instant(nowAt)}`}</caption>
    <thead><tr>
      <th scope="col" class="name">${t`measure`}</th>
      ${several ? html`<th scope="col" class="name">${t`lane`}</th>` : nothing}
      <th scope="col">${t`was`} <span>${instant(wasAt)}</span></th>
      <th scope="col">${since ? t`since` : t`now`} <span>${instant(nowAt)}</span></th>
      <th scope="col">${t`change`} <span>${nowAt >= wasAt ? '+' : '−'}${span(Math.abs(nowAt - wasAt))}</span></th>
      ${several ? html`<th scope="col" class="compared">${t`compared`}</th>` : nothing}
    </tr></thead>
    ${measureNames.map((name) => measureView(name, lanes, since))}
  </table>`;
}

/** @param {MeasureName} name @param {Compared['lanes']} lanes @param {boolean} since */
function measureView(name, lanes, since) {
  const nows = lanes.map(({ was, now }) => valueOf(name, now, since ? was : undefined));
  const most = Math.max(0, ...nows.filter(Number.isFinite));
  return html`<tbody>${lanes.map((lane, index) => {
    const [was, now] = [valueOf(name, lane.was), nows[index] ?? NaN];
    return html`<tr data-measure=${name} data-lane=${lane.name}>
      ${index ? nothing : html`<th scope="rowgroup" rowspan=${lanes.length}>${explainedView(name)}</th>`}
      ${lanes.length > 1 ? html`<th scope="row" class="lane-of">${lineSample(index)} <span>${lane.name}</span></th>` : nothing}
      <td>${measureValue(name, was)}</td>
      <td class="now">${measureValue(name, now)}</td>
      <td>${measureChange(name, was, now)}</td>
      ${lanes.length > 1 ? barView(index, now, most, now === most ? times(nows) : '') : nothing}
    </tr>`;
  })}</tbody>`;
}

/** @param {MeasureName} name */
function explainedView(name) {
  const { title, definition, source } = measureWords[name];
  return html`<details name="measure"><summary>${title}</summary>
    <p>${definition}</p><p>${t`Source: ${sources[source]}.`}</p></details>`;
}

/** @param {number} lane its index @param {number} value @param {number} most @param {string} words */
const barView = (lane, value, most, words) => html`<td class="compared"><svg class="line-${lane + 1}" width=${BAR} height="8" aria-hidden="true">${svg`
  <rect width=${Number.isFinite(value) && most > 0 ? Math.max(value > 0 ? 1 : 0, (value / most) * BAR) : 0} height="8"></rect>`}</svg> ${words}</td>`;

/** How a lane's line looks in the charts. @param {number} lane its index */
export const lineSample = (lane) => html`<svg class="line-sample line-${lane + 1}" viewBox="0 0 24 8" aria-hidden="true">${svg`
  <path d="M0 4H24"></path>`}</svg>`;
