// The challenges of the lesson that is shown: each opens its lock in the editor, has it
// judged, and says how it stands. Loaded with the first lesson that has any.

import { html, nothing, render } from '../lit.js';
import { judging, underWay } from '../editor/judging.js';
import { propertyWords } from '../editor/judgement-words.js';
import { showLesson } from '../class/own-room.js';
import { listChallenges } from '../source/api.js';
import { t } from '../text/language.js';
import { reasonWords } from '../text/reasons.js';
import { keep, remember } from '../ui/theme.js';
import { goalStates } from './exercise-words.js';
import { solve, solvedAt } from './progress.js';

/** @import { App } from '../shell/app.js' */
/** @import { EditorPanel } from '../editor/editor-panel.js' */
/** @import { Finding, Judgement } from '../types.d.ts' */
/** @import { GoalState } from './exercise-words.js' */

/**
 * @typedef {object} ChallengeActions
 * @property {() => Promise<EditorPanel>} openEditor
 * @property {(run: string, at: Finding) => void} see shows a run at an instant
 * @property {() => void} progressed goals have been met
 */

/** @typedef {{ name: string, start: string, solution: string }} Challenge */

/** A challenge in the lesson. */
class Card {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.name = element.dataset['challenge'] ?? '';
    this.key = element.dataset['check'] ?? '';
    this.element = element;
    this.hint = /** @type {HTMLElement | null} */ (element.querySelector('.challenge-hint'));
    this.place = Object.assign(document.createElement('div'), { className: 'challenge-do' });
    this.hint?.before(this.place);
  }
}

export class Challenges {
  /** @type {App} */ #app;
  /** @type {HTMLElement} */ #article;
  /** @type {ChallengeActions} */ #actions;
  /** @type {Card[]} */ #cards = [];
  /** @type {Promise<Challenge[]> | undefined} */ #listed;
  /** @type {Challenge[]} */ #challenges = [];

  /** @param {App} app @param {HTMLElement} article @param {ChallengeActions} actions */
  constructor(app, article, actions) {
    this.#app = app;
    this.#article = article;
    this.#actions = actions;
    judging.listen((judgement) => this.#take(judgement));
    void app.try(() => judging.look());
  }

  /** Takes up the lesson that has come, once. */
  wire() {
    if (this.#cards.some(({ element }) => this.#article.contains(element))) return;
    this.#cards = [...this.#article.querySelectorAll('.challenge')].map((element) => new Card(/** @type {HTMLElement} */ (element)));
    this.#draw();
    void this.#app.try(async () => {
      this.#listed ??= listChallenges();
      this.#challenges = await this.#listed;
      this.#draw();
    });
  }

  /** A judgement of a challenge that has ended counts, whichever lesson is shown. @param {Judgement} judgement */
  #take(judgement) {
    const card = this.#cards.find(({ name }) => name === judgement.challenge);
    if (card && passed(judgement)) {
      keep(`solution ${card.name}`, judgement.source ?? '');
      if (solve(card.key, new Date())) this.#actions.progressed();
    } else if (card && judgement.state === 'done') keep(`attempted ${card.key}`, 'yes');
    this.#draw();
  }

  #draw() {
    for (const card of this.#cards) this.#drawCard(card);
  }

  /** @param {Card} card */
  #drawCard(card) {
    const { state, why, see } = this.#tell(card);
    const { mark, name } = goalStates[state];
    const judgesThis = judging.judgement?.challenge === card.name && underWay(judging.judgement);
    const found = this.#challenges.find((each) => each.name === card.name);
    const own = remember(`challenge ${card.name}`);
    card.element.dataset['state'] = state;
    card.element.classList.toggle('is-met', state === 'met');
    if (card.hint) card.hint.hidden = state === 'to-begin';
    render(html`
      <p class="goal-why"><span class="goal-mark" aria-hidden="true">${mark}</span> <strong>${name}${t`.`}</strong> <span role="status">${why}</span></p>
      ${see ? html`<p><button type="button" class="goal-see" @click=${see}>${t`See the run that refutes it`}</button></p>` : nothing}
      ${this.#app.may('control') ? nothing : html`<p><button type="button" class="button primary" @click=${() => void this.#app.try(() => showLesson(card.key.split('/')[0] ?? '', this.#app.choice.scenario))}>${t`Mend it in a room of your own`}</button></p>`}
      <p class="challenge-ways" ?hidden=${!this.#app.may('control')}>
        <button type="button" class="button ${own ? '' : 'primary'}" ?disabled=${!found} @click=${() => this.#open(card, own ?? this.#startOf(card))}>${own ? t`Go on` : t`Begin#challenge`}</button>
        <button type="button" class="button ${own ? 'primary' : ''}" ?disabled=${!found || !this.#app.may('control') || underWay(judging.judgement)} @click=${() => this.#judge(card)}>${judgesThis ? t`Judging…` : t`Judge it`}</button>
        ${own ? html`<button type="button" class="button" @click=${() => this.#open(card, this.#startOf(card))}>${t`Begin anew`}</button>` : nothing}
      </p>
      ${state === 'met' && found ? html`<details class="challenge-solution"><summary>${t`A solution`}</summary><pre><code>${found.solution}</code></pre></details>` : nothing}`, card.place);
  }

  /** How a challenge stands. @param {Card} card @returns {{ state: GoalState, why: string, see?: () => void }} */
  #tell(card) {
    const { judgement } = judging;
    const met = solvedAt(card.key);
    if (judgement?.challenge === card.name) {
      if (underWay(judgement)) {
        const done = judgement.trials.filter(({ state }) => state === 'done').length;
        return { state: met ? 'met' : 'not-yet', why: t`${done} of ${judgement.trials.length} trials are done` };
      }
      const failed = decisive(judgement);
      if (failed) {
        const { trial, run, finding } = failed;
        return { state: met ? 'met' : 'not-yet', why: t`${trial}, ${propertyWords[finding.property].name}: ${reasonWords(finding.reason)}.`, see: () => this.#actions.see(run, finding) };
      }
      if (passed(judgement)) return { state: 'met', why: t`Your lock has passed all trials of this challenge.` };
    }
    if (met) return { state: 'met', why: t`Your lock has passed all trials of this challenge.` };
    if (remember(`attempted ${card.key}`)) return { state: 'not-yet', why: t`Your last attempt did not pass.` };
    return { state: 'to-begin', why: t`Begin, read the lock, and have it judged as it is.` };
  }

  /** What a challenge begins with: what has passed the one before, if the reader wrote it. @param {Card} card */
  #startOf({ name }) {
    const index = this.#challenges.findIndex((each) => each.name === name);
    const before = this.#challenges[index - 1];
    return (before && remember(`solution ${before.name}`)) || this.#challenges[index]?.start || '';
  }

  /** @param {Card} card @param {string} source */
  #open({ name }, source) {
    void this.#app.try(async () => {
      await (await this.#actions.openEditor()).take(source, name);
      this.#draw();
    });
  }

  /** Judges what is in the editor, if that is for this challenge, or else what was kept of it. @param {Card} card */
  #judge(card) {
    void this.#app.try(async () => {
      const editor = await this.#actions.openEditor();
      if (editor.challenge !== card.name) await editor.take(remember(`challenge ${card.name}`) ?? this.#startOf(card), card.name);
      editor.judge();
    });
  }
}

/** Whether each trial was done, and each property that it asks about holds. @param {Judgement} judgement */
const passed = ({ state, trials }) => state === 'done' && trials.length > 0
  && trials.every(({ asks, outcome }) => asks.every((each) => outcome?.findings?.some(({ property, verdict }) => property === each && verdict === 'holds')));

/**
 * What decides that a judgement does not pass: the first violated property, or else the
 * first that is undecided.
 * @param {Judgement} judgement
 * @returns {{ trial: string, run: string, finding: Finding } | undefined}
 */
function decisive({ trials }) {
  const all = trials.flatMap(({ name, outcome }) => (outcome?.findings ?? []).map((finding) => ({ trial: name, run: outcome?.run ?? '', finding })));
  return all.find(({ finding }) => finding.verdict === 'violated') ?? all.find(({ finding }) => finding.verdict === 'undecided');
}
