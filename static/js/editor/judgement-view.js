// A judgement as a table that grows: the trials by the properties. Each cell leads into
// its run, at the instant that decides.

import { html, nothing } from '../lit.js';
import { t, translated } from '../text/language.js';
import { reasonWords } from '../text/reasons.js';
import { aboutTrial, progressWords, propertyWords, verdictOf, verdictWords } from './judgement-words.js';
import { underWay } from './judging.js';

/** @import { Finding, Judgement, Outcome, Property } from '../types.d.ts' */

/**
 * @typedef {object} JudgementActions
 * @property {(run: string, at: Finding) => void} open shows a run at an instant
 * @property {() => void} [stop] where the visitor may
 * @property {boolean} other whether another source than the editor's was judged
 */

/** In the order of the columns. @type {Property[]} */
const PROPERTIES = ['safe', 'live', 'fair', 'cheap', 'clean', 'shared', 'timely', 'fenced'];

/** @param {Judgement} judgement @param {JudgementActions} actions */
export function judgementView(judgement, actions) {
  const goesOn = underWay(judgement);
  const columns = PROPERTIES.filter((each) => judgement.trials.some(({ asks }) => asks.includes(each)));
  const verdict = verdictOf(judgement);
  return html`
    <div class="judgement-head">
      <p class="judgement-verdict ${verdict.kind}" role="status">${verdict.mark ? html`<span aria-hidden="true">${verdict.mark}</span> ` : nothing}${verdict.words}</p>
      ${goesOn ? html`<p class="judgement-progress">${progressWords(judgement)}</p>` : nothing}
      ${actions.other ? html`<p class="judgement-progress">${t`The source in the editor is not the one that was judged.`}</p>` : nothing}
      ${goesOn && actions.stop ? html`<button type="button" class="button" @click=${actions.stop}>${t`Stop judging`}</button>` : nothing}
    </div>
    <div class="judgement-trials" tabindex="0" role="region" aria-label=${t`Trials`}><table class="judgement-table">
      <caption class="unseen">${t`What each trial says of each property`}</caption>
      <thead><tr><th scope="col">${t`Trial`}</th>${columns.map((each) => html`<th scope="col">${propertyWords[each].name}<small>${propertyWords[each].means}</small></th>`)}</tr></thead>
      ${judgement.trials.map((trial) => rowsOf(trial, columns, actions, goesOn))}
    </table></div>`;
}

/** @param {Judgement['trials'][number]} trial @param {Property[]} columns @param {JudgementActions} actions @param {boolean} goesOn whether more comes */
function rowsOf({ name, sentence, asks, state, outcome }, columns, { open }, goesOn) {
  const findings = outcome?.findings ?? [];
  const why = findings.filter(({ verdict }) => verdict !== 'holds');
  const told = aboutTrial(goesOn ? state : 'done', outcome);
  return html`<tbody class=${why.some(({ verdict }) => verdict === 'violated') ? 'has-failed' : ''}>
    <tr><th scope="row">${name}</th>
      ${told ? html`<td class="short" colspan=${columns.length}>${told}</td>`
    : columns.map((each) => html`<td>${asks.includes(each) && outcome ? cell(name, outcome, each, open) : html`<span class="short"><span aria-hidden="true">–</span><span class="unseen">${t`not asked`}</span></span>`}</td>`)}</tr>
    <tr class="judgement-about"><td colspan=${columns.length + 1}><p>${translated(sentence)}</p>${outcome ? why.map((each) => reason(outcome, each, open)) : nothing}</td></tr>
  </tbody>`;
}

/** @param {string} trial @param {Outcome} outcome @param {Property} property @param {JudgementActions['open']} open */
function cell(trial, outcome, property, open) {
  const finding = outcome.findings?.find((each) => each.property === property);
  if (!finding) return nothing;
  const { mark, words } = verdictWords[finding.verdict];
  return html`<button type="button" class="judgement-cell is-${finding.verdict}" aria-label=${t`${trial}, ${propertyWords[property].name}: ${words}. Open the run`}
    title=${reasonWords(finding.reason)} @click=${() => open(outcome.run, finding)}><span aria-hidden="true">${mark}</span> <span class="judgement-words">${words}</span></button>`;
}

/** Why a property is not held, and the way into the smaller run that shows it, too. @param {Outcome} outcome @param {Finding} finding @param {JudgementActions['open']} open */
function reason({ smaller }, { property, verdict, reason: why }, open) {
  const again = smaller?.findings?.find((each) => each.property === property && each.verdict === 'violated');
  return html`<p class="judgement-why is-${verdict}"><strong>${propertyWords[property].name}</strong>: ${reasonWords(why)}${t`.`}
    ${smaller && again ? html`<button type="button" class="tool" @click=${() => open(smaller.run, again)}>${t`The same with ${smaller.clients} clients`}</button>` : nothing}</p>`;
}
