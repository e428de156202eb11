// The bar at the foot of a narrow page: from the lanes to the lesson and back, and the time.

import { html, nothing } from '../lit.js';
import { t } from '../text/language.js';

/** @import { Mode } from '../play/playhead.js' */
/** @import { Actions } from './actions.js' */

/** @param {Mode} mode @param {boolean} over nothing more comes @param {Actions} actions */
export function dockView(mode, over, actions) {
  const paused = mode === 'paused';
  return html`${actions.has('lesson') ? html`<button type="button" class="button" @click=${() => actions.do('lesson')}>
      <span class="to-lesson">${t`Lesson`}</span><span class="to-lanes">${t`Lanes`}</span></button>` : nothing}
    <button type="button" class="button hand" @click=${() => actions.do(paused ? 'play' : 'pause')}>${paused ? t`Play` : t`Pause`}</button>
    <button type="button" class="button hand" aria-pressed=${String(mode === 'live')} @click=${() => actions.do('live')}>${over ? t`End` : t`Live`}</button>`;
}
