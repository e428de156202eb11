// The console: a person types ZooKeeper's commands, as a client of the run.

import { html, nothing, render } from '../../lit.js';
import { baseName } from '../../model/queue.js';
import { turns } from '../../model/turns.js';
import { titleOf } from '../../text/format.js';
import { parts, t } from '../../text/language.js';
import { sayIn } from '../../text/speaker.js';
import { glyph, shapeName } from '../../ui/shapes.js';
import { place } from '../../source/api.js';
import { examples } from './examples.js';
import { consoleAddress, ConsoleLink, whyNoConsole } from './link.js';
import { LogView } from './log-view.js';
import { add, completed, createTranscript, enter, join, leave, next, recall, spoken, take, takeBack } from './transcript.js';

/** @import { Lane } from '../../model/view.js' */
/** @import { Shown } from '../../play/shown.d.ts' */
/** @import { App } from '../../shell/app.js' */
/** @import { Example } from './examples.js' */
/** @import { ConsoleFrame } from './transcript.js' */

/** The least time between two things that are said, in milliseconds. */
const CALM = 1000;

/** Under what name the lines that were typed are kept, until the tab is closed. */
const TYPED = 'console-typed';

export class ConsolePanel {
  /** @type {HTMLElement} */ #panel;
  /** @type {App} */ #app;
  /** @type {() => void} */ #changed;
  #transcript = createTranscript(typedBefore());
  #link = new ConsoleLink({ said: (frame) => this.#said(frame), lost: () => this.#lost() }, (url) => new WebSocket(url));
  #log = new LogView();
  /** The lane to join, where there are more than one. */ #lane = '';
  /** The run that was joined. */ #run = '';
  /** The run that the newest lines are about. */ #about = '';
  /** There is a field from then on when the visitor first joins, or has a line to enter. */ #types = false;
  /** The tab key completes, until the escape key was pressed. */ #completes = true;
  /** The line that was sent last ends the session: what was typed after it is for another one. */ #quits = false;
  /** The znodes by which the visitor has the lock. @type {string[]} */ #turns = [];
  /** The entries that were said. */ #told = 0;
  /** What is to stand in the field, once that is drawn. */ #filling = '';
  /** It is to have the focus, once it is drawn. */ #wanted = false;
  /** Where the field was, when it was last drawn. */ #top = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #later;

  /** @param {HTMLElement} panel @param {App} app @param {() => void} changed */
  constructor(panel, app, changed) {
    this.#panel = panel;
    this.#app = app;
    this.#changed = changed;
  }

  /** @param {Shown} frame */
  draw(frame) {
    const { run, recorded } = this.#app;
    const transcript = this.#transcript;
    const lanes = frame.view.lanes;
    if (!lanes.some(({ info }) => info.name === this.#lane)) this.#lane = lanes[0]?.info.name ?? '';
    if (transcript.state !== 'away' && (run?.id !== this.#run || recorded)) this.#end(t`Another run has begun. Join it to go on.`);
    if (run && !recorded && run.id !== this.#about) {
      if (transcript.entries.length) add(transcript, 'rule', t`Another run`);
      this.#about = run.id;
    }
    if (frame.mode === 'live') this.#tellTurns(lanes);
    render(this.#view(frame), this.#panel);
    this.#panel.closest('.stage')?.toggleAttribute('data-typing', this.#types); // then it has more room
    this.#log.follow(this.#panel.querySelector('.console-log'));
    if (this.#filling && this.#field) {
      this.#field.value ||= this.#filling;
      this.#filling = '';
      this.#changed();
    }
    if (this.#wanted) this.focus();
    this.#keepInSight();
  }

  /** What comes above the field does not push it out of sight while it is typed in. */
  #keepInSight() {
    const top = this.#field?.offsetTop ?? 0;
    if (top !== this.#top && document.activeElement === this.#field) this.#field?.scrollIntoView({ block: 'nearest' });
    this.#top = top;
  }

  /** Tells the visitor that it is his turn, and that it is over. @param {Lane[]} lanes */
  #tellTurns(lanes) {
    const { client, lane } = this.#transcript;
    const found = lanes.find(({ info }) => client > 0 && info.name === lane);
    const own = found ? turns(found).filter((node) => node.client === client) : [];
    for (const path of this.#turns.filter((each) => client > 0 && !own.some((node) => node.path === each))) this.#note(t`Znode ${baseName(path)} is gone: the lock is yours no longer.`);
    for (const { path, mode } of own.filter((node) => !this.#turns.includes(node.path))) {
      this.#note(mode === 'read' ? t`Your turn: no writer is ahead of znode ${baseName(path)}. The lock is yours to read.` : t`Your turn: znode ${baseName(path)} is first. The lock is yours.`);
    }
    this.#turns = own.map(({ path }) => path);
  }

  /** @param {string} text */
  #note(text) {
    add(this.#transcript, 'note', text);
    this.#speak();
  }

  /** Puts the cursor where the next line is typed, or on what lets one join. */
  focus() {
    const element = this.#field ?? this.#panel.querySelector('.console-join');
    this.#wanted = !element && !this.#panel.childElementCount;
    if (element instanceof HTMLElement) element.focus();
  }

  /** Puts a line into the field, for the visitor to enter; the second time it is entered. Who is no client becomes one. @param {string} line */
  type(line) {
    const field = this.#field;
    if (field?.value === line) return this.#enter();
    if (this.#transcript.state === 'away') this.join();
    this.#types = this.#wanted = true;
    if (field) field.value = line;
    else this.#filling = line;
    this.#changed();
  }

  /** Which client of the run the visitor is: 0 while none. */
  get client() {
    const { lane, client } = this.#transcript;
    return { lane, client };
  }

  /** Whether a line would be done at once. */
  get ready() {
    const { state, busy, prompt } = this.#transcript;
    return state === 'joined' && !busy && prompt.includes('(CONNECTED)');
  }

  /** Whether the visitor is a client of what runs. */
  get takesPart() {
    return this.#transcript.state !== 'away' && this.#run === this.#app.run?.id;
  }

  /** @returns {HTMLInputElement | null} */
  get #field() {
    return this.#panel.querySelector('.console-line input');
  }

  /** Why nobody can take part now, or empty. */
  get #closed() {
    const running = this.#app.run?.state === 'running' && !this.#app.recorded;
    return !this.#app.may('control') ? t`Who may control this run can be a client of it. In a room of your own you can.`
      : !running ? t`No run is going: start one, then join it.` : '';
  }

  /** @param {Shown} frame */
  #view(frame) {
    const { state, entries } = this.#transcript;
    const here = state === 'joined' || state === 'gone';
    return html`<div class="console" data-state=${state}>
      <div class="console-head">${here ? this.#whoView(frame) : this.#joinView(frame)}</div>
      ${entries.length || this.#types ? this.#log.view(entries) : nothing}
      ${this.#types ? this.#lineView() : nothing}
      <div class="unseen" role="log" aria-live="polite" aria-label=${t`What the console says`}></div>
    </div>`;
  }

  /** @param {Shown} frame */
  #whoView(frame) {
    const { client, lane, state } = this.#transcript;
    const { lanes } = frame.view;
    const info = lanes.find((each) => each.info.name === lane)?.info;
    return html`<p class="console-who"><svg width="24" height="24" aria-hidden="true">${glyph(client, 12, 12, 22, true)}</svg>
        <span>${parts`You are client ${client}${html`<span class="unseen">${t`, ${shapeName(client)}`}</span>`}${lanes.length > 1 && info ? t` of ${titleOf(info).name}` : ''}`}${this.#turns.length ? html`: <em>${t`the lock is yours`}</em>` : nothing}</span></p>
      ${state === 'gone' ? html`<p class="hint">${t`The process is gone.`}</p>
        <button type="button" class="button primary console-again" @click=${() => this.#again()}>${t`Start again`}</button>` : this.#examplesView(frame)}
      <button type="button" class="tool" @click=${() => this.#leave()}>${t`Leave the run`}</button>`;
  }

  /** @param {Shown} frame */
  #joinView({ view }) {
    const { state } = this.#transcript;
    if (this.#closed) return html`<p class="hint">${this.#closed}</p>`;
    return html`${view.lanes.length > 1 ? html`<label class="field"><span>${t`Lane`}</span><select @change=${(/** @type {Event} */ event) => { this.#lane = /** @type {HTMLSelectElement} */ (event.target).value; }}>
        ${view.lanes.map(({ info }) => html`<option value=${info.name} .selected=${info.name === this.#lane}>${titleOf(info).name}</option>`)}</select></label>` : nothing}
      <button type="button" class="button primary console-join" aria-disabled=${String(state === 'joining')} @click=${() => this.join()}>${state === 'joining' ? t`Joining…` : t`Be a client`}</button>
      <p class="hint">${t`Type zkCli’s commands in a session of your own, beside the simulated clients, on the same lock.`}</p>`;
  }

  /** The field stays where it is, whatever becomes of the session: so does the focus, and what is being typed. */
  #lineView() {
    const { state, busy, prompt } = this.#transcript;
    const submit = (/** @type {Event} */ event) => {
      event.preventDefault();
      this.#enter();
    };
    const label = state === 'gone' ? t`Enter starts it again` : state === 'away' ? this.#closed ? '–' : t`Enter: be a client again`
      : state === 'joining' ? t`Joining…` : busy ? '…' : prompt;
    return html`<form class="console-line" @submit=${submit}>
      <label for="console-field">${label}</label>
      <input id="console-field" type="text" autocomplete="off" autocapitalize="off" autocorrect="off" spellcheck="false" enterkeyhint="send"
        aria-label=${t`Command`} aria-describedby="console-keys" placeholder=${state === 'joined' ? t`help lists the commands, Tab completes, ↑ brings earlier lines` : ''}
        @keydown=${(/** @type {KeyboardEvent} */ event) => this.#key(event)} @input=${() => { this.#completes = true; this.#changed(); }}>
      <p id="console-keys" class="unseen">${parts`${key('Tab')} completes, ${key('Esc')} then ${key('Tab')} goes on, ${key('↑')} ${key('↓')} earlier lines.`}</p>
      <button class="button">${t`Enter`}</button></form>`;
  }

  /** @param {Shown} frame */
  #examplesView({ view }) {
    const { lane, client } = this.#transcript;
    const list = examples(view.lanes.find((each) => each.info.name === lane), client);
    return html`<div class="console-examples" role="group" aria-label=${t`Lines to begin with: choose one to fill it in, and again to enter it`}>
      ${list.map((example) => html`<button type="button" class=${this.#field?.value === example.line ? 'is-filled' : ''} @click=${() => this.#try(example)}>
        <code>${example.line}</code> <span>${this.#field?.value === example.line ? t`press again to enter` : example.words}</span></button>`)}</div>`;
  }

  /** The visitor becomes a client of the run. */
  join() {
    const { run } = this.#app;
    if (this.#transcript.state === 'joining' || this.#closed || !run) return;
    this.#app.playback.playhead.live();
    this.#run = run.id;
    this.#types = true;
    join(this.#transcript, this.#lane);
    this.#link.open(consoleAddress(place.room, place.lobby, this.#lane));
    this.#focusDrawn();
    this.#changed();
  }

  /** @param {ConsoleFrame} frame */
  #said(frame) {
    const { completions } = frame;
    take(this.#transcript, frame);
    if (completions) this.#complete(completed(completions), completions.of);
    if (frame.gone || frame.ended) this.#over();
    this.#send();
    this.#speak();
    this.#changed();
  }

  /** The session is over. After quit, what was typed already is for another one. */
  #over() {
    if (this.#quits && this.#transcript.waiting.length) this.join();
    else this.#filling ||= takeBack(this.#transcript);
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
    this.#filling ||= takeBack(this.#transcript);
    this.#speak();
    this.#changed();
  }

  #leave() {
    this.#end(t`You have left: your session is closed, and its ephemeral znodes go with it.`);
    this.focus();
  }

  /** Moves the focus once what is to have it has been drawn. */
  #focusDrawn() {
    requestAnimationFrame(() => requestAnimationFrame(() => this.focus()));
  }

  #again() {
    this.#link.send({ start: true });
    this.focus();
  }

  #enter() {
    const field = this.#field;
    if (field && this.enter(field.value)) field.value = '';
  }

  /** A line is entered, or waits until the one before is done. Says whether that can be. @param {string} typed */
  enter(typed) {
    const { state } = this.#transcript;
    if (state === 'away' && this.#closed) return false;
    const line = enter(this.#transcript, typed);
    keepTyped(this.#transcript.history);
    this.#completes = true;
    this.#log.toEnd();
    if (line) this.#do(line);
    else if (state === 'away') this.join();
    else if (state === 'gone') this.#again();
    this.#changed();
    return true;
  }

  /** Sends what was typed ahead. */
  #send() {
    const line = next(this.#transcript);
    if (line) this.#do(line);
  }

  /** @param {string} line */
  #do(line) {
    this.#quits = line.trim() === 'quit';
    this.#link.send({ line });
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

/** What was typed before the page was loaded anew. Storage may be forbidden. @returns {string[]} */
function typedBefore() {
  try {
    return JSON.parse(sessionStorage.getItem(TYPED) ?? '[]');
  } catch {
    return [];
  }
}

/** @param {string[]} lines */
function keepTyped(lines) {
  try {
    sessionStorage.setItem(TYPED, JSON.stringify(lines));
  } catch {
    return; // it lasts as long as the page, then
  }
}
