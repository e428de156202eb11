// The badge and the run's clock in the page's bar, and the banners under it.

import { clock } from '../text/format.js';
import { parts, t } from '../text/language.js';
import { html, nothing } from '../lit.js';
import { isHeard } from '../model/queue.js';
import { serversView } from '../faults/servers-view.js';

/** @import { App } from './app.js' */

/**
 * @param {App} app
 * @param {number} now
 * @param {(anchor: Element) => void} open the menu of the servers' faults
 * @param {boolean} opened
 */
export function statusView(app, now, open, opened) {
  const { run } = app;
  return html`
    <span class="badge ${badgeState(app)}">${badgeText(app)}</span>
    ${run ? html`
      <span class="fact">${parts`run ${html`<strong>${clock(now)}</strong>`}`}${run.state === 'running' ? nothing : ` ${states[run.state] ?? run.state}`}</span>
      <span class="fact">${parts`seed ${html`<strong>${run.seed}</strong>`}`}</span>` : nothing}
    ${app.recordingName ? nothing : serversView(app, now, open, opened)}`;
}

/** How a run stands that does not go on. @type {Record<string, string>} */
const states = { finished: t`finished`, stopping: t`stopping` };

/** @param {App} app */
function badgeState(app) {
  if (app.recordingName) return 'waiting';
  if (app.link !== 'open') return 'waiting';
  if (app.zookeeper?.state === 'unreachable') return 'bad';
  return app.zookeeper && heard(app) ? 'good' : 'waiting';
}

/** Whether the run hears of it at the instant that is drawn, too. @param {App} app */
const heard = ({ run, view }) => !run || view.lanes.every(isHeard);

/** @param {App} app */
function badgeText(app) {
  if (app.recordingName) return t`recording ${app.recordingName}`;
  if (app.link === 'reconnecting') return t`reconnecting`;
  if (app.link === 'stopped') return t`stopped`;
  if (app.link === 'gone') return t`no such room`;
  if (app.link === 'connecting' || !app.zookeeper) return t`connecting`;
  const name = `ZooKeeper ${app.zookeeper.version ?? ''}`.trim();
  return app.zookeeper.state === 'live' && heard(app) ? t`${name} live` : t`${name} unreachable`;
}

/** Why there is no stream. @param {App} app */
function lostWords({ refused: { code, message } }) {
  const [what, otherwise] = message.split('; try again later, ');
  if (code === 'full') return t`The room is full (${what}). The page tries again until there is a place${otherwise ? `, ${otherwise}` : ''}.`;
  return t`The page has lost the playground and tries to come back. If the playground is still running, nothing will be missing.`;
}

/** @param {App} app */
export function alertsView(app) {
  return html`
    ${app.zookeeper?.state === 'unreachable' ? html`<p class="alert bad">${parts`${html`<strong>${t`ZooKeeper does not answer`}</strong>`} at ${app.zookeeper.address ?? t`its address`}. The clients wait and try again; the run goes on when it is back.`}</p>` : nothing}
    ${app.link === 'stopped' ? html`<p class="alert">${t`The playground was stopped. The page goes on when it is started again.`}</p>` : nothing}
    ${app.link === 'reconnecting' ? html`<p class="alert">${lostWords(app)}</p>` : nothing}
    ${app.news ? html`<p class="alert">${app.news}
      <button type="button" class="tool" @click=${() => app.tell('')}>${t`Dismiss`}</button></p>` : nothing}
    ${app.notice ? html`<p class="alert bad">${app.notice}
      <button type="button" class="tool" @click=${() => app.say('')}>${t`Dismiss`}</button></p>` : nothing}`;
}
