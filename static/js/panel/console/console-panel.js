// The console: a person types ZooKeeper's commands, as a client of the run.

import { render } from '../../lit.js';
import { baseName } from '../../model/queue.js';
import { isDisputed, turns } from '../../model/turns.js';
import { t } from '../../text/language.js';
import { sayIn } from '../../text/speaker.js';
import { place } from '../../source/api.js';
import { consoleView } from './console-view.js';
import { consoleAddress, ConsoleLink, whyNoConsole } from './link.js';
import { Guests } from './guests.js';
import { LogView } from './log-view.js';
import { keepTyped, typedBefore } from './typed.js';
import { add, completed, createTranscript, enter, join, leave, next, recall, spoken, take, takeBack } from './transcript.js';

/** @import { Node } from '../../model/queue.js' */
/** @import { Lane } from '../../model/view.js' */
/** @import { Shown } from '../../play/shown.d.ts' */
/** @import { App } from '../../shell/app.js' */
/** @import { Console } from './console-view.js' */
/** @import { ConsoleMessage } from './transcript.js' */

/** @typedef {Node & { clear: boolean }} Turn clear: the lock is theirs alone */

/** The least time between two things that are said, in milliseconds. */
const CALM = 1000;

export class ConsolePanel {
  /** @type {HTMLElement} */ #panel;
  /** @type {App} */ #app;
  /** @type {() => void} */ #changed;
  #transcript = createTranscript(typedBefore());
  #link = new ConsoleLink({ said: (message) => this.#said(message), lost: () => this.#lost() }, (url) => new WebSocket(url));
  #log = new LogView();
  /** @type {Guests} */ #guests;
  /** The lane to join, where there are more than one. */ #lane = '';
  /** The run that was joined. */ #run = '';
  /** The run that the newest lines are about. */ #about = '';
  /** There is a field from then on when the visitor first joins, or has a line to enter. */ #types = false;
  /** The tab key completes, until the escape key was pressed. */ #completes = true;
  /** The line that was sent last ends the session: what was typed after it is for another one. */ #quits = false;
  /** The znodes by which it was the visitor's turn, as they were told, and whether the lock is theirs alone. @type {Map<string, boolean>} */ #turns = new Map();
  /** Whether the visitor has the lock now. */ #yours = false;
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
    this.#guests = new Guests(changed);
  }

  /** @param {Shown} shown */
  draw(shown) {
    const { run, recordingName } = this.#app;
    const transcript = this.#transcript;
    const lanes = shown.view.lanes;
    if (!lanes.some(({ info }) => info.name === this.#lane)) this.#lane = lanes[0]?.info.name ?? '';
    if (transcript.state !== 'away' && (run?.id !== this.#run || recordingName)) this.#end(t`Another run has begun. Join it to go on.`);
    if (run && !recordingName && run.id !== this.#about) {
      if (transcript.entries.length) add(transcript, 'rule', t`Another run`);
      this.#about = run.id;
    }
    const lane = lanes.find(({ info }) => transcript.client > 0 && info.name === transcript.lane);
    const now = lane ? turns(lane).filter(({ client }) => client === transcript.client).map((node) => ({ ...node, clear: !isDisputed(lane, node) })) : [];
    this.#yours = shown.mode === 'live' && transcript.state === 'joined' && now.some(({ clear }) => clear);
    if (shown.mode === 'live' && !transcript.busy) this.#tellTurns(lane, now);
    render(consoleView(this.#console, shown), this.#panel);
    const log = this.#panel.querySelector('.console-log');
    const stage = this.#panel.closest('.stage');
    stage?.toggleAttribute('data-typing', this.#types); // then it has more room
    stage?.toggleAttribute('data-untyped', !log); // then it needs less
    this.#log.follow(log);
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

  /** Tells the visitor that it is his turn, and that it is over. @param {Lane | undefined} lane of which he is a client @param {Turn[]} now */
  #tellTurns(lane, now) {
    const left = [...this.#turns.keys()].filter((each) => lane?.queue.nodes.some(({ path }) => path === each));
    for (const path of this.#transcript.client ? [...this.#turns.keys()].filter((each) => !left.includes(each)) : []) this.#note(t`Znode ${baseName(path)} is gone: the lock is yours no longer.`);
    for (const { path, mode, clear } of now.filter(({ path, clear }) => this.#turns.get(path) !== clear)) {
      if (!clear) this.#note(t`Znode ${baseName(path)} is first, but another client believes that it holds.`);
      else this.#note(mode === 'read' ? t`Your turn, by the queue: no writer is ahead of znode ${baseName(path)}. The lock is yours to read.` : t`Your turn, by the queue: znode ${baseName(path)} is first. The lock is yours.`);
    }
    this.#turns = new Map([...left.map((path) => /** @type {const} */ ([path, false])), ...now.map(({ path, clear }) => /** @type {const} */ ([path, clear]))]);
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

  /** Whether the visitor may be typing a line: it is a client, or the focus is here. */
  get typing() {
    return this.#transcript.state === 'joined' || this.#panel.contains(document.activeElement);
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
    const running = this.#app.run?.state === 'running' && !this.#app.recordingName;
    return !this.#app.may('control') ? t`Whoever may control this run can be a client of it. In a room of your own you can.`
      : !running ? t`No run is going: start one, then join it.` : '';
  }

  /** @returns {Console} */
  get #console() {
    return {
      transcript: this.#transcript, closed: this.#closed, yours: this.#yours, lane: this.#lane, typed: this.#field?.value ?? '',
      log: this.#log, types: this.#types, guests: () => this.#guests.view(performance.now()),
      choose: (name) => { this.#lane = name; }, join: () => this.join(), again: () => this.#again(), leave: () => this.#leave(),
      enter: () => this.#enter(), key: (event) => this.#key(event), changed: () => { this.#completes = true; this.#changed(); }, fill: (line) => this.#fill(line),
    };
  }

  /** The visitor becomes a client of the run. */
  join() {
    const { run } = this.#app;
    if (this.#transcript.state === 'joining' || this.#closed || !run) return;
    void this.#app.standing.go({ live: true }, 'viewer');
    this.#run = run.id;
    this.#types = true;
    join(this.#transcript, this.#lane);
    this.#link.open(consoleAddress(place.room, place.lobby, this.#lane));
    this.#focusDrawn();
    this.#changed();
  }

  /** @param {ConsoleMessage} message */
  #said(message) {
    const { completions } = message;
    take(this.#transcript, message);
    if (completions) this.#complete(completed(completions), completions.of);
    if (message.gone || message.ended) this.#over();
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
    const { playback, standing } = this.#app;
    if (playback.pausedAt || playback.playhead.mode === 'playing') void standing.go({ live: true }, 'viewer'); // what it does is seen now
    this.#quits = line.trim() === 'quit';
    this.#link.send({ line });
  }

  /** Fills an example in; the second time it is entered. @param {string} line */
  #fill(line) {
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
