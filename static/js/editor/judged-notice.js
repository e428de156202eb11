// That a lock is judged in the room, for those who have not started that, and the way to the
// table. After a reload it is told where nothing else is to be seen, and while it goes on.

import { html, nothing, render } from '../lit.js';
import { t } from '../text/language.js';
import { verdictOf } from './judgement-words.js';
import { judging, underWay } from './judging.js';

/** @import { App } from '../shell/app.js' */
/** @import { Panels } from '../panel/panels.js' */
/** @import { Judgement } from '../types.d.ts' */

export class JudgedNotice {
  /** @type {App} */ #app;
  /** @type {HTMLElement} */ #host;
  /** @type {Pick<Panels, 'open' | 'show'>} */ #panels;
  /** Whether one has been under way while the page was open. */ #seen = false;
  /** Whether the visitor has read it. */ #dismissed = false;

  /** @param {App} app @param {HTMLElement} host @param {Pick<Panels, 'open' | 'show'>} panels */
  constructor(app, host, panels) {
    this.#app = app;
    this.#host = host;
    this.#panels = panels;
    judging.listen((judgement) => {
      if (underWay(judgement) && !this.#seen) this.#dismissed = false;
      this.#seen = underWay(judgement) || this.#seen;
      this.draw();
    });
  }

  draw() {
    judging.learn(this.#app.judged, !this.#app.recordingName); // a recording takes the place of the stream
    const { judgement } = judging;
    const tells = judgement && !judging.own && !this.#dismissed && this.#panels.open !== 'source' && (underWay(judgement) || this.#seen || !this.#app.run);
    render(tells ? this.#view(judgement) : nothing, this.#host);
  }

  /** @param {Judgement} judgement */
  #view(judgement) {
    const { mark, words } = verdictOf(judgement);
    return html`<p class="alert judged"><span>${underWay(judgement) ? t`A lock is being judged in this room.` : t`A lock has been judged in this room.`}
      ${mark ? html`<span aria-hidden="true">${mark}</span> ${words}` : nothing}</span>
      <button type="button" class="tool" @click=${() => this.#panels.show('source')}>${t`See the table`}</button>
      <button type="button" class="tool" @click=${() => { this.#dismissed = true; this.draw(); }}>${t`Dismiss`}</button></p>`;
  }
}
