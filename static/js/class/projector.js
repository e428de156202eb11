// What a class sees of itself where its teacher presents: the question that was shown, how
// many have voted, and how to join. The wall is public: how they voted stands there once
// the answer has been revealed, and not before.

import { html, nothing, render } from '../lit.js';
import { t } from '../text/language.js';
import { byId } from '../panel/panels.js';
import { keep, remember } from '../ui/theme.js';
import { barsView, votersWords } from './votes.js';

/** @import { App } from '../shell/app.js' */
/** @import { Asked } from './votes.js' */

/** Under what name it is kept which parts are folded away. */
const FOLDED = 'projector-folded';

export class Projector {
  /** @type {App} */ #app;
  /** The address that the phones are to use. @type {() => string} */ #address;
  #host = Object.assign(document.createElement('aside'), { id: 'projector', className: 'projector', hidden: true });
  /** Which parts are folded away. @type {Set<string>} */ #folded = new Set(remember(FOLDED)?.split(' '));

  /** @param {App} app @param {() => string} address */
  constructor(app, address) {
    this.#app = app;
    this.#address = address;
    this.#host.setAttribute('aria-label', t`For the class`);
    byId('stage').append(this.#host);
  }

  /** @param {Asked | undefined} asked the question that was shown to the class */
  draw(asked) {
    const code = this.#app.room?.class?.code;
    this.#host.hidden = !document.body.classList.contains('present') || !(asked || code);
    if (this.#host.hidden) return document.body.classList.remove('with-projector');
    const parts = [...asked ? ['question'] : [], ...code ? ['join'] : []];
    this.#place(parts.every((part) => this.#folded.has(part)));
    render(html`
      ${asked ? this.#partView('question', html`<span role="status">${votersWords(asked.state, this.#app.room?.class?.members ?? 0)}</span>`, this.#questionView(asked)) : nothing}
      ${code ? this.#partView('join', t`Join: ${this.#address().replace(/^https?:\/\//, '')}`, html`<p class="projector-code">${code.slice(0, 3)} ${code.slice(3)}</p>`) : nothing}`, this.#host);
  }

  /** @param {Asked} asked */
  #questionView({ text, choices, right, state }) {
    return html`<p class=${`projector-question${state?.revealed ? ' is-brief' : ''}`}>${text}</p>
      ${state?.revealed ? barsView(choices, state, right) : html`<ol>${choices.map((choice) => html`<li>${choice}</li>`)}</ol>`}`;
  }

  /** @param {string} name @param {unknown} title what is seen of it folded away @param {unknown} content */
  #partView(name, title, content) {
    return html`<details class=${`projector-${name}-part`} ?open=${!this.#folded.has(name)} @toggle=${(/** @type {Event} */ { target }) => this.#fold(name, !(/** @type {HTMLDetailsElement} */ (target).open))}>
      <summary>${title}</summary>${content}</details>`;
  }

  /** @param {string} name @param {boolean} folded */
  #fold(name, folded) {
    if (folded === this.#folded.has(name)) return;
    if (folded) this.#folded.add(name);
    else this.#folded.delete(name);
    keep(FOLDED, [...this.#folded].join(' '));
    this.#place([...this.#host.querySelectorAll('details')].every((part) => !part.open));
  }

  /** Beside the lanes, or, folded away, below them. @param {boolean} folded */
  #place(folded) {
    this.#host.classList.toggle('is-folded', folded);
    document.body.classList.toggle('with-projector', !folded);
  }
}
