// A lock of the visitor's own: its source, which a run takes as a lane beside one of ours,
// and which is judged by trials.

import { html, nothing, render } from '../lit.js';
import { listTemplates, place } from '../source/api.js';
import { keep, remember } from '../ui/theme.js';
import { narrow } from '../ui/style.js';
import { t } from '../text/language.js';
import { Editor } from './editor.js';
import { judgementView } from './judgement-view.js';
import { judging, underWay } from './judging.js';
import { errorOf, linkHash, sourceOf } from './source.js';

/** @import { App } from '../shell/app.js' */
/** @import { Shown } from '../play/shown.d.ts' */
/** @import { JudgementOrder, Start } from '../source/api.js' */
/** @import { Finding } from '../types.d.ts' */

const KEY = 'your-lock';
/** The scenario that a source is run in. */
const SCENARIO = 'your-lock';
/** How many clients a run has at most, as a process is started for each. */
const MOST = 8;
/** Too short for a panel beside all of the stage. */
const short = matchMedia('(height < 54rem)');

export class EditorPanel {
  /** @type {App} */ #app;
  /** @type {{ run: (start: Start) => void }} */ #actions;
  /** @type {{ name: string, title: string, source: string }[]} */ #templates = [];
  /** @type {Editor | undefined} */ #editor;
  #tools = part('editor-tools');
  #text = part('editor-text');
  #judged = Object.assign(document.createElement('section'), { className: 'judgement', hidden: true });
  #said = Object.assign(document.createElement('p'), { className: 'editor-said' });
  /** The error that is shown, as a sentence. */ #complaint = '';
  /** The challenge that the source is for, or empty: it is kept apart, and judged by that one's trials. */ challenge = '';
  /** @type {Promise<unknown>} */ #opened;

  /** @param {HTMLElement} panel @param {App} app @param {string} came the hash of the address with which the visitor came @param {{ run: (start: Start) => void }} actions */
  constructor(panel, app, came, actions) {
    this.#app = app;
    this.#actions = actions;
    this.#said.setAttribute('role', 'status');
    this.#judged.setAttribute('aria-label', t`Judgement`);
    panel.append(this.#tools, this.#text, this.#said, this.#judged);
    judging.listen(() => this.#drawJudgement());
    void app.try(() => judging.look());
    this.#opened = app.try(async () => {
      this.#templates = (await listTemplates()).templates;
      this.#open(sourceOf(came) || remember(KEY) || (this.#templates[0]?.source ?? ''));
    });
  }

  /** @param {string} source */
  #open(source) {
    this.#editor = new Editor(this.#text, source, t`The source of your lock`, { changed: () => this.#changed(), run: () => this.#run() });
    this.#drawJudgement();
  }

  /** Where the source is kept. */
  get #key() {
    return this.challenge ? `challenge ${this.challenge}` : KEY;
  }

  /** Takes a source for a challenge, or without one a source of the visitor's. @param {string} source @param {string} [challenge] */
  async take(source, challenge = '') {
    await this.#opened;
    if (!this.#editor) return; // what went wrong is told
    this.challenge = challenge;
    this.#editor.text = source;
    this.#drawJudgement();
    this.#editor.focus();
  }

  #changed() {
    keep(this.#key, this.#editor?.text ?? '');
    this.#complain('');
    this.#drawJudgement();
  }

  #run() {
    const source = this.#editor?.text ?? '';
    const { clients, delay } = this.#app.choice;
    this.#complain('');
    this.#actions.run({ scenario: SCENARIO, clients: Math.min(clients, MOST), delay: `${delay}ms`, source });
  }

  /** Judges the source, by the trials of its challenge if it is for one. */
  judge() {
    this.#judge({ source: this.#editor?.text ?? '', ...(this.challenge && { challenge: this.challenge }) });
  }

  /** @param {JudgementOrder} order */
  #judge(order) {
    this.#complain('');
    void this.#app.try(async () => {
      await judging.start(order);
      if (narrow.matches) this.#judged.scrollIntoView(); // it is below the source
    });
  }

  #drawJudgement() {
    const { judgement } = judging;
    this.#judged.hidden = !judgement;
    this.#judged.parentElement?.classList.toggle('has-judgement', Boolean(judgement));
    const other = Boolean(judgement?.source && judgement.source !== this.#editor?.text);
    if (judgement) render(judgementView(judgement, { open: (run, finding) => void this.#openRun(run, finding), other, ...(this.#app.may('control') && { stop: () => void this.#app.try(() => judging.stop()) }) }), this.#judged);
    this.#drawTools();
  }

  /** Shows the run of a trial at the instant that decides. The panel stays open, with the way to other cells, where the stage has room beside it. @param {string} run @param {Finding} at */
  async #openRun(run, { seq = 0, at = 0 }) {
    const { standing } = this.#app;
    await standing.go({ run, at, seq, panel: short.matches ? '' : standing.place.panel || 'source' }, 'viewer');
  }

  /** Marks where the clients are, and what is wrong: what the server refuses, or what the program wrote. @param {Shown} shown */
  draw({ view }) {
    this.#drawTools();
    const own = view.lanes.find(({ info }) => info.source);
    /** @type {Map<number, string>} */ const places = new Map();
    let complaint = this.#app.notice;
    for (const { number, line, wrote, ended } of own?.info.source === this.#editor?.text ? own?.clients.values() ?? [] : []) {
      if (line && !ended && !view.finished) places.set(line, [places.get(line), number].filter(Boolean).join(', '));
      if (errorOf(wrote)) complaint ||= wrote;
    }
    this.#editor?.showPlaces(places);
    this.#complain(errorOf(complaint) ? complaint : '');
  }

  /** @param {string} complaint */
  #complain(complaint) {
    if (complaint === this.#complaint) return;
    this.#complaint = complaint;
    this.#editor?.showError(errorOf(complaint));
    this.#said.textContent = complaint;
  }

  #drawTools() {
    render(html`
      ${this.challenge ? html`<span class="editor-challenge">${t`Challenge`}: <strong>${this.challenge}</strong></span>
        <button type="button" class="button" @click=${() => void this.take(remember(KEY) ?? '')}>${t`Leave the challenge`}</button>`
    : html`<label class="field"><span>${t`Begin with`}</span><select @change=${(/** @type {Event} */ e) => this.#take(/** @type {HTMLSelectElement} */ (e.target))}>
        <option value="">${t`choose…`}</option>
        ${this.#templates.map(({ name, title }) => html`<option value=${name} title=${title}>${name}</option>`)}</select></label>`}
      <button type="button" class="button primary" ?disabled=${!this.#editor || !this.#app.may('control')} @click=${() => this.#run()}>${t`Run it`}</button>
      <button type="button" class="button" ?disabled=${!this.#mayJudge} @click=${() => this.judge()}>${t`Judge it`}</button>
      ${this.#app.scenarios.some(({ name }) => name === SCENARIO) ? html`<button type="button" class="button" ?disabled=${!this.#mayJudge} title=${t`The command after -lock, with which the playground was started`} @click=${() => this.#judge({})}>${t`Judge the server's program`}</button>` : nothing}
      <button type="button" class="button" @click=${() => this.#download()}>${t`Download`}</button>
      <button type="button" class="button" @click=${() => void this.#copyLink()}>${t`Copy a link to it`}</button>`, this.#tools);
  }

  get #mayJudge() {
    return this.#editor !== undefined && this.#app.may('control') && !underWay(judging.judgement);
  }

  /** Takes a template. What was written before can be had back by undoing. @param {HTMLSelectElement} select */
  #take(select) {
    const template = this.#templates.find(({ name }) => name === select.value);
    if (template && this.#editor) this.#editor.text = template.source;
    select.value = '';
    this.#editor?.focus();
  }

  #download() {
    const address = URL.createObjectURL(new Blob([this.#editor?.text ?? ''], { type: 'text/plain' }));
    Object.assign(document.createElement('a'), { href: address, download: 'lock.star' }).click();
    URL.revokeObjectURL(address);
  }

  async #copyLink() {
    await navigator.clipboard.writeText(`${new URL(place.lobby, location.href)}rooms/main${linkHash(this.#editor?.text ?? '')}`);
    this.#app.tell(t`The link is copied.`);
  }
}

/** @param {string} className */
const part = (className) => Object.assign(document.createElement('div'), { className });
