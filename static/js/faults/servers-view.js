// The servers in the page's bar: who leads, what is down, and the menu to break them.

import { t } from '../text/language.js';
import { html, nothing } from '../lit.js';
import { activeFaults } from '../model/active-faults.js';
import { faultMark } from '../stage/picture/fault-marks.js';

/** @import { App } from '../shell/app.js' */

/**
 * @param {App} app
 * @param {number} now
 * @param {(anchor: Element) => void} open
 * @param {boolean} opened
 */
export function serversView(app, now, open, opened) {
  return html`
    ${app.servers.length > 1 ? html`<span class="fact ensemble" title=${listOf(app)}>${modesOf(app)}</span>` : nothing}
    ${activeFaults(app.view.outages, app.catalogue, now).map((each) => faultMark(each, app.catalogue, now))}
    ${app.run && app.may('break-servers') ? html`<button type="button" class="tool" aria-haspopup="dialog" aria-expanded=${String(opened)}
      @click=${(/** @type {Event} */ e) => open(/** @type {Element} */ (e.currentTarget))}>${t`Break server…`}</button>` : nothing}`;
}

/** @param {App} app */
function modesOf(app) {
  const leader = app.servers.findIndex((server) => server.mode === 'leader') + 1;
  const silent = app.servers.filter((server) => server.state !== 'live').length; // killed, or alone without a majority
  return [t`${app.servers.length} server|${app.servers.length} servers`, leader ? t`server ${leader} leads` : t`no leader`, silent ? t`${silent} not serving` : ''].filter(Boolean).join(t`, `);
}

/** @param {App} app */
const listOf = (app) =>
  app.servers.map(({ address, state, mode }, index) => `${index + 1}: ${address} ${state === 'live' ? mode ?? state : t`not serving`}`).join('\n');
