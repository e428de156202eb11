// The console: a person types ZooKeeper's commands, as a client of the run.

import { html, nothing, render } from '../../lit.js';
import { titleOf } from '../../text/format.js';
import { parts, t } from '../../text/language.js';
import { sayIn } from '../../text/speaker.js';
import { glyph, shapeName } from '../../view/shapes.js';
import { place } from '../api.js';
import { examples } from './examples.js';
import { consoleAddress, ConsoleLink, whyNoConsole } from './link.js';
import { add, completed, createTranscript, enter, join, leave, next, recall, spoken, take } from './transcript.js';

/** @import { Frame } from '../../view/frame.d.ts' */
/** @import { App } from '../app.js' */
/** @import { Example } from './examples.js' */
/** @import { ConsoleFrame, Entry } from './transcript.js' */

/** How each sort of text is marked, and named to who does not see that. @type {Record<Entry['kind'], { mark: string, name: string }>} */
const kinds = {
  line: { mark: '', name: '' },
  out: { mark: '', name: '' },
  err: { mark: '✗', name: t`Error: ` },
  watch: { mark: '◆', name: t`Watch: ` },
  note: { mark: '–', name: '' },
};

/** The least time between two things that are said, in milliseconds. */
const CALM = 1000;

export class ConsolePanel {
  /** @type {HTMLElement} */ #panel;
  /** @type {App} */ #app;
  /** @type {() => void} */ #changed;
  #transcript = createTranscript();
  #link = new ConsoleLink({ said: (frame) => this.#said(frame), lost: () => this.#lost() }, (url) => new WebSocket(url));
  /** The lane to join, where there are more than one. */ #lane = '';
  /** The run that was joined. */ #run = '';
  /** The tab key completes, until the escape key was pressed. */ #completes = true;
  /** The entries that were said. */ #told = 0;
  /** It is to have the focus, once it is drawn. */ #wanted = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #later;

  /** @param {HTMLElement} panel @param {App} app @param {() => void} changed */
  constructor(panel, app, changed) {
    this.#panel = panel;
    this.#app = app;
    this.#changed = changed;
  }

  /** @param {Frame} frame */
  draw(frame) {
    const { run } = this.#app;
    const transcript = this.#transcript;
    const lanes = frame.view.lanes;
    if (!lanes.some(({ info }) => info.name === this.#lane)) this.#lane = lanes[0]?.info.name ?? '';
    if (transcript.state !== 'away' && (run?.id !== this.#run || this.#app.recorded)) this.#end(t`Another run has begun. Join it to go on.`);
    const log = this.#panel.querySelector('.console-log');
    const atEnd = !log || log.scrollHeight - log.scrollTop - log.clientHeight < 8;
    render(this.#view(frame), this.#panel);
    const shown = this.#panel.querySelector('.console-log');
    if (shown && atEnd) shown.scrollTop = shown.scrollHeight;
    if (this.#wanted) this.focus();
  }

  /** Puts the cursor where the next line is typed, or on what lets one join. */
  focus() {
    const element = this.#field ?? this.#panel.querySelector('.console-join');
    this.#wanted = !element && !this.#panel.childElementCount;
    if (element instanceof HTMLElement) element.focus();
  }

  /** Which client of the run the visitor is: 0 while none. */
  get client() {
    const { lane, client } = this.#transcript;
    return { lane, client };
  }

  /** @returns {HTMLInputElement | null} */
  get #field() {
    return this.#panel.querySelector('.console-line input');
  }

  /** @param {Frame} frame */
  #view(frame) {
    const transcript = this.#transcript;
    const here = transcript.state === 'joined' || transcript.state === 'gone';
    return html`<div class="console">
      <div class="console-head">${here ? this.#whoView(frame) : this.#joinView(frame)}</div>
      ${transcript.entries.length ? html`<div class="console-log" tabindex="0" role="region" aria-label=${t`What stands in the console`}>${transcript.entries.map(entryView)}</div>` : nothing}
      ${here ? html`${this.#lineView()}${this.#examplesView(frame)}` : nothing}
      <div class="unseen" role="log" aria-live="polite" aria-label=${t`What the console says`}></div>
    </div>`;
  }

  /** @param {Frame} frame */
  #whoView({ view }) {
    const { client, lane, state } = this.#transcript;
    const info = view.lanes.find((each) => each.info.name === lane)?.info;
    return html`<p class="console-who"><svg width="24" height="24" aria-hidden="true">${glyph(client, 12, 12, 22, true)}</svg>
        ${parts`You are client ${client}${html`<span class="unseen">${t`, ${shapeName(client)}`}</span>`}${view.lanes.length > 1 && info ? t` of ${titleOf(info).name}` : ''}`}</p>
      <p class="hint">${state === 'gone' ? t`The process is gone.` : parts`${key('Tab')} completes, ${key('Esc')} then ${key('Tab')} goes on, ${key('↑')} ${key('↓')} earlier lines.`}</p>
      ${state === 'gone' ? html`<button type="button" class="button primary console-again" @click=${() => this.#again()}>${t`Start again`}</button>` : nothing}
      <button type="button" class="tool" @click=${() => this.#leave()}>${t`Leave`}</button>`;
  }

  /** @param {Frame} frame */
  #joinView({ view }) {
    const running = this.#app.run?.state === 'running' && !this.#app.recorded;
    const { state } = this.#transcript;
    const why = !this.#app.may('control') ? t`Who may control this run can be a client of it. In a room of your own you can.`
      : !running ? t`No run is going: start one, then join it.` : '';
    if (why) return html`<p class="hint">${why}</p>`;
    return html`${view.lanes.length > 1 ? html`<label class="field"><span>${t`Lane`}</span><select @change=${(/** @type {Event} */ event) => { this.#lane = /** @type {HTMLSelectElement} */ (event.target).value; }}>
        ${view.lanes.map(({ info }) => html`<option value=${info.name} .selected=${info.name === this.#lane}>${titleOf(info).name}</option>`)}</select></label>` : nothing}
      <button type="button" class="button primary console-join" aria-disabled=${String(state === 'joining')} @click=${() => this.#join()}>${state === 'joining' ? t`Joining…` : t`Be a client`}</button>
      <p class="hint">${t`Type zkCli’s commands in a session of your own, beside the simulated clients, on the same lock.`}</p>`;
  }

  #lineView() {
    const transcript = this.#transcript;
    const submit = (/** @type {Event} */ event) => {
      event.preventDefault();
      this.#enter();
    };
    return html`<form class="console-line" @submit=${submit}>
      <label for="console-field">${transcript.state === 'gone' ? t`Enter starts it again` : transcript.busy ? '…' : transcript.prompt}</label>
      <input id="console-field" type="text" autocomplete="off" autocapitalize="off" autocorrect="off" spellcheck="false" enterkeyhint="send"
        aria-label=${t`Command`} @keydown=${(/** @type {KeyboardEvent} */ event) => this.#key(event)} @input=${() => { this.#completes = true; this.#changed(); }}>
      <button class="button">${t`Enter`}</button></form>`;
  }

  /** @param {Frame} frame */
  #examplesView({ view }) {
    const { lane, client, state } = this.#transcript;
    if (state === 'gone') return nothing;
    const list = examples(view.lanes.find((each) => each.info.name === lane), client);
    return html`<div class="console-examples" role="group" aria-label=${t`Lines to begin with: choose one to fill it in, and again to enter it`}>
      ${list.map((example) => html`<button type="button" class=${this.#field?.value === example.line ? 'is-filled' : ''} @click=${() => this.#try(example)}>
        <code>${example.line}</code> <span>${this.#field?.value === example.line ? t`press again to enter` : example.words}</span></button>`)}</div>`;
  }

  #join() {
    const { run } = this.#app;
    if (this.#transcript.state === 'joining' || !run) return;
    this.#app.playback.playhead.live();
    this.#run = run.id;
    join(this.#transcript, this.#lane);
    this.#link.open(consoleAddress(place.room, place.lobby, this.#lane));
    this.#changed();
  }

  /** @param {ConsoleFrame} frame */
  #said(frame) {
    const before = this.#transcript.state;
    const { completions } = frame;
    take(this.#transcript, frame);
    if (completions) this.#complete(completed(completions), completions.of);
    this.#send();
    this.#speak();
    this.#changed();
    if (before !== 'joined' && this.#transcript.state === 'joined') this.#focusDrawn();
  }

  /** The connection is gone, and nothing has said why. */
  async #lost() {
    const refused = this.#transcript.state === 'joining' ? await whyNoConsole(consoleAddress(place.room, place.lobby, this.#lane)) : '';
    this.#end(refused || t`The connection to the playground is lost; the session has been closed.`);
  }

  /** @param {string} why */
  #end(why) {
    this.#link.close();
    leave(this.#transcript, 'away', why);
    this.#speak();
    this.#changed();
  }

  #leave() {
    this.#end(t`You have left: your session is closed, and its ephemeral znodes go with it.`);
    this.#focusDrawn();
  }

  /** Moves the focus once what is to have it has been drawn: what had it is gone. */
  #focusDrawn() {
    requestAnimationFrame(() => requestAnimationFrame(() => this.focus()));
  }

  #again() {
    this.#link.send({ start: true });
    this.focus();
  }

  #enter() {
    const field = this.#field;
    if (!field) return;
    if (this.#transcript.state === 'gone') {
      this.#again();
      return;
    }
    const line = enter(this.#transcript, field.value);
    field.value = '';
    this.#completes = true;
    if (line) this.#link.send({ line });
    this.#changed();
  }

  /** Sends what was typed ahead. */
  #send() {
    const line = next(this.#transcript);
    if (line) this.#link.send({ line });
  }

  /** Fills an example in; the second time it is entered. @param {Example} example */
  #try({ line }) {
    const field = this.#field;
    if (!field) return;
    if (field.value === line) this.#enter();
    else field.value = line;
    this.#changed();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const field = /** @type {HTMLInputElement} */ (event.target);
    const plain = !event.shiftKey && !event.ctrlKey && !event.altKey && !event.metaKey;
    if (event.key === 'Escape') this.#completes = false;
    if (!plain) return;
    if (event.key === 'Tab' && this.#completes && field.value && this.#transcript.state === 'joined') {
      event.preventDefault();
      this.#link.send({ complete: field.value.slice(0, field.selectionStart ?? undefined) });
    }
    if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
      event.preventDefault();
      field.value = recall(this.#transcript, event.key === 'ArrowUp' ? -1 : 1, field.value);
      this.#changed();
    }
  }

  /** Takes up completions, unless the line is another by now. @param {{ line: string, choices: string[] }} found @param {string} of */
  #complete({ line, choices }, of) {
    const field = this.#field;
    if (!field?.value.startsWith(of)) return;
    field.value = line + field.value.slice(of.length);
    field.setSelectionRange(line.length, line.length);
    if (choices.length) add(this.#transcript, 'note', choices.join('   '));
  }

  /** Lets a screen reader say what is new, not too often, and what is long in short. */
  #speak() {
    this.#later ??= setTimeout(() => this.#tell(), CALM);
  }

  #tell() {
    this.#later = undefined;
    const region = this.#panel.querySelector('[role=log]');
    if (!region) return;
    const news = this.#transcript.entries.filter(({ key, kind }) => key >= this.#told && kind !== 'line');
    this.#told = this.#transcript.count;
    if (news.length) sayIn(region)(news.slice(-MOST_SAID).map(spoken).join(' '));
  }
}

/** So many texts are said at once, the newest. */
const MOST_SAID = 5;

/** @param {string} name */
const key = (name) => html`<kbd>${name}</kbd>`;

/** @param {Entry} entry */
const entryView = ({ kind, text, prompt }) => html`<p class="entry-${kind}"><span class="mark" aria-hidden="true">${kinds[kind].mark}</span><span><span class="unseen">${
  kinds[kind].name}</span>${prompt ? html`<span class="prompt">${prompt}</span>` : nothing}${text}</span></p>`;
