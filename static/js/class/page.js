// What a page has in a room that is not the visitor's alone: whom it follows, and what is
// offered to who may only look.

import { changeClass } from '../source/api.js';
import { html, nothing, render } from '../lit.js';
import { byId } from '../panel/panels.js';
import { parts, t } from '../text/language.js';
import { runView } from '../shell/run-bar-view.js';
import { GoalCounts } from './goal-counts.js';
import { Follow } from './follow.js';
import { addressOf, hereView } from './join-view.js';
import { Projector } from './projector.js';
import { Sections } from './sections.js';
import { Votes } from './votes.js';

/** @import { App } from '../shell/app.js' */
/** @import { LessonPanel } from '../lesson/panel.js' */
/** @import { Player } from '../shell/player.js' */
/** @import { Presented } from '../types.d.ts' */

export class ClassPage {
  /** @type {Follow} */ #follow;
  /** @type {Sections} */ #sections;
  /** @type {App} */ #app;
  /** @type {LessonPanel} */ #lesson;
  /** @type {() => void} */ #tryAlone;
  /** @type {Votes} */ #votes;
  /** @type {GoalCounts} */ #goals;
  /** @type {Projector} */ #projector;
  #named = false;
  /** What is presented, as it was looked at last. @type {Presented | undefined} */ #learnt;
  /** Where it is offered to go where the class is in the lesson. */ #offer = Object.assign(document.createElement('div'), { role: 'status' });

  /** @param {App} app @param {Player} player @param {LessonPanel} lesson @param {() => void} tryAlone in a room of one's own */
  constructor(app, player, lesson, tryAlone) {
    this.#app = app;
    this.#lesson = lesson;
    this.#sections = new Sections(byId('lesson-article'));
    this.#follow = new Follow(app, player, lesson, this.#sections);
    byId('dock').before(this.#offer);
    this.#tryAlone = tryAlone;
    this.#votes = new Votes(app, byId('lesson-article'), (card) => lesson.run(card));
    this.#goals = new GoalCounts(app, () => player.change());
    this.#projector = new Projector(app, () => addressOf(app.room?.class?.addresses ?? []));
  }

  /** Whether another page decides where this one stands. */
  get follows() {
    return this.#follow.follows;
  }

  /** Looks after every frame. @param {number} here performance.now() */
  draw(here) {
    const { presented, room } = this.#app;
    if (room?.class?.code) this.#nameClass(room.class);
    if (room?.class) this.#votes.draw();
    this.#goals.draw(byId('lesson-article'));
    const follow = this.#follow;
    follow.settle();
    if (presented && presented !== this.#learnt) {
      this.#learnt = presented;
      follow.learn(presented);
    }
    follow.look(here);
    this.#sections.offer(follow.presents ? (name) => follow.show(name) : undefined, follow.section);
    this.#projector.draw(follow.section ? this.#votes.find(follow.section) : undefined);
    render(this.#offerView(), this.#offer);
  }

  /** The button of the class says how many are here. @param {import('../types.d.ts').Class} own */
  #nameClass(own) {
    const button = byId('class-open');
    if (!this.#named) button.replaceChildren();
    this.#named = true;
    render(hereView(own), button);
  }

  /** What is shown to the class: said, and offered to who looks around. */
  #offerView() {
    const { offer } = this.#follow;
    const { marked } = this.#sections;
    if (!offer) return marked && this.#follow.follows ? html`<p class="class-marked">${t`Shown to the class: ${marked}`}</p>` : nothing;
    const title = this.#lesson.here === offer.lesson ? this.#sections.titleOf(offer.section) : this.#app.lessons.find(({ slug }) => slug === offer.lesson)?.title;
    return html`<div class="class-offer"><p>${parts`The class is at: ${html`<strong>${title}</strong>`}`}</p>
      <button type="button" class="button primary" @click=${() => this.#follow.accept()}>${t`Go there`}</button>
      <button type="button" class="tool" aria-label=${t`Dismiss`} @click=${() => this.#follow.dismiss()}>✕</button></div>`;
  }

  /** What stands in the place of the run bar for who may only look. */
  runBar() {
    const { run, room, link, scenario } = this.#app;
    const follow = this.#follow;
    if (link === 'gone') return html`<p class="recorded">${run ? runView(run) : nothing}</p>`;
    return html`
      <p class="recorded">${run ? runView(run) : t`Nothing runs yet.`}
        <span>${room?.class ? t`The teacher starts and stops the runs of this class.` : t`You are looking at a room of somebody else.`}</span></p>
      <div class="run-buttons">
        ${room?.class?.offered ? html`<button type="button" class="button primary" @click=${() => this.#takeSeat()}>${t`Take over the run`}</button>` : nothing}
        ${follow.follows ? html`<button type="button" class="button" @click=${() => follow.wander()}>${t`Look around by myself`}</button>` : nothing}
        ${follow.wanders ? html`<button type="button" class="button primary" @click=${() => follow.back()}>${t`Back to the presenter`}</button>` : nothing}
        ${scenario ? html`<button type="button" class="button" @click=${this.#tryAlone}>${t`Try it in a room of your own`}</button>` : nothing}</div>`;
  }

  #takeSeat() {
    void this.#app.try(async () => this.#app.enter(await changeClass({ seat: 'take' })));
  }
}
