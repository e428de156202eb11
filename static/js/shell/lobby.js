// The lobby: who has chosen no room yet starts alone, joins a class, or opens one.

import { createRoom, joinClass, openClass, place, startRun } from './api.js';
import { html, nothing } from '../lit.js';
import { t } from '../text/language.js';

/** @import { App } from './app.js' */
/** @import { Start } from './api.js' */

/** Goes to a room; the page's place in the lesson goes along. @param {string} room @param {string} [hash] */
const enter = (room, hash = '') => location.assign(`${place.lobby}rooms/${room}${hash}`);

/** Starts a run in a room of the visitor's own. @param {App} app @param {Start} start */
export const startAlone = (app, start) => app.try(async () => {
  const { room } = await createRoom();
  await startRun(room, start);
  enter(room, location.hash);
});

/** @param {App} app @param {string} code */
const join = (app, code) => app.try(async () => enter((await joinClass(code)).room));

/** Follows the link of a class, as its picture has it. @param {App} app */
export function followCode(app) {
  const code = new URLSearchParams(location.search).get('code');
  if (!code) return;
  history.replaceState(null, '', location.pathname + location.hash);
  void join(app, code);
}

/** What there is in the lobby beside the start. @param {App} app */
export function lobbyView(app) {
  /** @param {SubmitEvent} event */
  const submit = (event) => {
    event.preventDefault();
    void join(app, String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get('code')));
  };
  return html`<div class="lobby">
    <form @submit=${submit}><label class="field"><span>${t`Code of a class`}</span><input class="words" name="code" required autocomplete="off"
      autocapitalize="none" spellcheck="false" size="8" maxlength="20"></label> <button class="button">${t`Join the class`}</button></form>
    ${app.may('manage') ? html`<button type="button" class="button" @click=${() => app.try(async () => enter((await openClass()).room, '#class'))}>${t`Open a class…`}</button>` : nothing}
  </div>`;
}
