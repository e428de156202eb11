// Where the visitor is, when that is not plain: in a room of its own while it is in a class,
// in a room that is no more, or in the class whose run is on offer. Always in view, with the
// way back.

import { html, nothing } from '../lit.js';
import { t } from '../text/language.js';
import { changeClass, place } from '../source/api.js';
import { enter, ownRoom } from './own-room.js';

/** @import { App } from '../shell/app.js' */

/** @param {App} app */
export function whereView(app) {
  const { room } = app;
  const own = () => void app.try(async () => enter(await ownRoom(), location.hash));
  const seat = (/** @type {'keep' | 'free'} */ how) => void app.try(async () => app.enter(await changeClass({ seat: how })));
  if (app.link === 'gone') return strip(goneWords(app), html`<a class="button primary" href=${place.lobby}>${t`To the front page`}</a>
    <button type="button" class="button" @click=${own}>${t`To a room of your own`}</button>`);
  if (room?.inClass && room.inClass !== room.room) {
    return strip(room.own === room.room ? t`This is your own room.` : t`This is not the room of your class.`,
      html`<a class="button primary" href="${place.lobby}rooms/${room.inClass}">${t`Back to the class`}</a>`);
  }
  if (!room?.class || !app.may('manage')) return nothing;
  if (room.class.offered) return strip(t`The run is on offer: the first student who takes it over drives it.`, html`<button type="button" class="button" @click=${() => seat('keep')}>${t`Keep the run`}</button>`);
  return room.class.driven ? strip(t`A student drives the run.`, html`<button type="button" class="button" @click=${() => seat('free')}>${t`Take the run back`}</button>`) : nothing;
}

/** Why nobody can be here. @param {App} app */
function goneWords({ room, run, refused }) {
  const still = run ? ` ${t`What you have seen of it can still be looked at.`}` : '';
  if (refused.code === 'forbidden') return room?.class ? t`You have left this class.` : t`This room is not open to you. If it is the room of a class, join that with its code.`;
  if (room?.class) return t`The class has ended.` + still;
  return t`This room is no more: its class has ended, nobody had used it for a while, or the playground was started anew.` + still;
}

/** @param {string} words @param {unknown} ways */
const strip = (words, ways) => html`<p>${words}</p><div class="where-ways">${ways}</div>`;
