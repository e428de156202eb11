// Wires the page together: the stream changes the app, the app asks for a
// frame, and a frame draws what changed.

import { goTo, readMoment, readPlace } from './address.js';
import { recordingAddress } from './api.js';
import { App } from './app.js';
import { wireKeyboard } from './keyboard.js';
import { LessonPanel, rem } from './lesson.js';
import { render } from '../lit.js';
import { narrate, Narrator } from '../text/narration.js';
import { goToMoment, momentAddress } from './moments.js';
import { byId, isPanel, Panels } from './panels.js';
import { Recordings } from './recordings.js';
import { Stage } from '../view/stage.js';
import { Stream, streamAddress } from '../source/live.js';
import { TimeScale } from '../play/time-scale.js';
import { sentence } from '../text/sentence.js';
import { TimelineView } from '../view/timeline-view.js';
import { reducedMotion, restoreTheme, theme, toggleTheme } from './theme.js';
import { beliefView } from '../panel/belief-view.js';
import { chartsView } from '../panel/charts-view.js';
import { EventsView } from '../panel/events-view.js';
import { FaultMenu } from './fault-menu.js';
import { inspectorView } from '../panel/inspector-view.js';
import { SequencePanel } from '../panel/sequence-panel.js';
import { legendView } from '../view/legend-view.js';
import { runBarView } from './run-bar-view.js';
import { alertsView, statusView } from './status-view.js';
import { stepView } from '../panel/step-view.js';
import { wordsView } from '../panel/words-view.js';
import { welcomeView } from './welcome-view.js';

/** @import { Lane } from '../model/view.js' */
/** @import { Frame } from '../view/frame.d.ts' */
/** @import { LaneActions } from '../view/lane-view.js' */

/** Where the page is one column, as in the style sheets. */
const narrow = matchMedia('(max-width: 60rem)');

/** How often the clock and the countdowns are drawn when nothing else moves, in milliseconds. */
const IDLE = 200;

restoreTheme();
let dirty = true;
let asked = false;
let started = false;
/** @type {import('./panels.js').PanelName} */ let panelShown = 'events';

const app = new App(change, visitScenario);
const stage = new Stage(byId('lanes'), byId('lane-tabs'), change);
const timeline = new TimelineView(byId('timeline'), {
  pause: () => app.travel((playhead, here) => playhead.pause(here)),
  play: () => app.travel((playhead, here) => playhead.play(here)),
  live: () => app.travel((playhead) => playhead.live()),
  seek: (at) => app.travel((playhead, here) => playhead.seek(at, here)),
  setSpeed: (speed) => app.travel((playhead, here) => playhead.setSpeed(speed, here)),
  stepEvent: (direction) => app.stepEvent(direction),
  stepMark: (direction) => app.stepMark(direction),
  open: () => recordings.choose(),
  copyLink,
});
const panels = new Panels(byId('panel-tabs'), change);
const events = new EventsView(byId('panel-events'), app.catalogue);
const sequence = new SequencePanel(byId('panel-sequence'), {
  select: (subject) => app.inspect(subject),
  seek: (at) => app.travel((playhead, here) => playhead.seek(at, here)),
  redraw: change,
});
const menu = new FaultMenu(app, byId('fault-menu'), change);
const narrator = new Narrator(byId('narration'));
const lesson = new LessonPanel(runCard, visitLesson);
const stream = new Stream(streamAddress('main', document.baseURI), app.reader(), {
  open: (url) => new WebSocket(url),
  later: (task, milliseconds) => setTimeout(task, milliseconds),
});

const recordings = new Recordings(app, stream);

wireButtons();
recordings.takeDrops(document);
stream.open();
setInterval(() => app.run?.state === 'running' && change(), IDLE);
addEventListener('popstate', follow);
await app.load(readPlace(location.hash).scenario);
lesson.list(app.lessons);
const moment = readMoment(location.hash);
follow();
if (moment) {
  if (isPanel(moment.panel)) panels.show(moment.panel);
  void goToMoment(moment, app, recordings);
}

function change() {
  dirty = true;
  ask();
}

function ask() {
  if (!asked) requestAnimationFrame(frame);
  asked = true;
}

function frame() {
  asked = false;
  const here = performance.now();
  const folded = app.replay.count;
  const shown = frameAt(app.advance(here));
  if (app.replay.count !== folded) dirty = true;
  if (dirty || app.playhead.mode === 'playing') draw(shown, here);
  dirty = false;
  if (stage.fly(shown) || app.advances) ask();
}

/** What there is to draw of an instant. @param {number} at @returns {Frame} */
function frameAt(at) {
  const { run, view, log, catalogue, subject } = app;
  return {
    run, view, at, log, catalogue, mode: app.playhead.mode, selection: subject,
    count: app.replay.count, unit: rem(), still: reducedMotion(),
  };
}

/** @param {Frame} shown @param {number} here performance.now() */
function draw(shown, here) {
  const idle = !app.run;
  document.body.classList.toggle('idle', idle);
  document.body.classList.toggle('stepping', app.stepping);
  render(statusView(app, app.clock.now(here), breakServers, menu.isOpen('', 0)), byId('status'));
  render(alertsView(app), byId('alerts'));
  render(runBarView(app, begin, () => panels.show('steps'), () => recordings.leave()), byId('run-bar'));
  render(legendView(app), byId('legend'));
  byId('welcome').hidden = app.run !== null;
  const present = app.playhead.present(here);
  const scale = new TimeScale(app.log, present);
  if (idle) render(welcomeView(app, begin), byId('welcome'));
  else drawTimeline(shown, present, scale);
  stage.draw(shown, actionsOf);
  if (started && !idle) showLanes();
  drawPanel(shown, scale);
  if (panelShown !== panels.open) turnTo(panels.open);
  menu.draw(shown.at);
  if (!idle) narrator.offer(() => narrate(app.view), here);
}

/** @param {Frame} shown @param {number} present @param {TimeScale} scale */
function drawTimeline({ at, mode, count, log, catalogue, view }, present, scale) {
  const last = log.event(count - 1);
  timeline.draw({
    at, mode, count, present, over: app.clock.stopped, speed: app.playhead.speed,
    scale, marks: app.marks, lanes: view.lanes.map(({ info }) => info.name),
    words: last ? sentence(last, catalogue) : '',
    recording: app.run && !app.recorded ? recordingAddress(app.run.id) : '',
  });
}

/** Starts what is chosen; where the lanes are out of sight, they come into it. */
async function begin() {
  if (app.recorded) recordings.leave();
  started = await app.start() && narrow.matches;
  change();
}

/** Starts what is chosen with the network held. */
function beginHeld() {
  if (app.recorded) recordings.leave();
  void app.start({ ...app.choiceToStart(), step: true });
}

function showLanes() {
  started = false;
  const tabs = byId('lane-tabs');
  (tabs.childElementCount ? tabs : byId('lanes')).scrollIntoView({ block: 'start' });
}

/** Another panel is open: those that are as tall as what they tell come into sight. @param {typeof panelShown} panel */
function turnTo(panel) {
  panelShown = panel;
  if (panel === 'belief' || panel === 'steps' || panel === 'sequence') byId('panels').scrollIntoView({ block: 'nearest' });
}

/** @param {Frame} shown @param {TimeScale} scale */
function drawPanel(shown, scale) {
  const { view, at, catalogue } = shown;
  if (panels.open === 'events') events.update(shown.log, shown.count, catalogue);
  if (panels.open === 'sequence') sequence.draw(shown, scale);
  if (panels.open === 'words') render(wordsView(view.lanes, at, catalogue), byId('panel-words'));
  if (panels.open === 'inspector') render(inspectorView(shown, (subject) => app.inspect(subject), actionsOf), byId('panel-inspector'));
  if (panels.open === 'belief') render(beliefView(view.lanes, at, catalogue), byId('panel-belief'));
  if (panels.open === 'steps') render(stepView(app, beginHeld), byId('panel-steps'));
  if (panels.open === 'charts') render(chartsView(view), byId('panel-charts'));
}

/** @param {Lane} lane @returns {LaneActions} */
function actionsOf(lane) {
  const name = lane.info.name;
  return {
    inspect: (client) => inspect(name, client, ''),
    inspectNode: (path) => inspect(name, 0, path),
    breakIt: (client, anchor) => menu.open(anchor, { lane: name, client }),
    opened: (client) => menu.isOpen(name, client),
  };
}

/** @param {Element} anchor */
function breakServers(anchor) {
  menu.open(anchor, { lane: '', client: 0 });
}

/** Opens the menu of the client that has the focus, or that the inspector shows. */
function breakChosen() {
  const { subject } = app;
  const own = document.activeElement?.closest('.client')?.querySelector('.break');
  const shown = subject?.client && document.querySelector(`.lane[data-lane="${subject.lane}"] .client[data-client="${subject.client}"] .break`);
  const holder = document.querySelector('.lane.front .client.is-holds .break');
  const inspected = document.querySelector('#panel-inspector:not([hidden]) .break');
  const anchor = own || shown || inspected || holder;
  if (anchor instanceof HTMLElement) anchor.click();
}

/** @param {string} lane @param {number} client @param {string} path */
function inspect(lane, client, path) {
  app.inspect({ lane, client, path });
  panels.show('inspector');
  if (narrow.matches) byId('panels').scrollIntoView({ block: 'start' });
}

/** A link to what is seen now goes to the clipboard, or into the bar of addresses where that is forbidden. */
async function copyLink() {
  const hash = momentAddress(app, panels.open, location.hash);
  const address = new URL(hash, location.href).href;
  const copied = await navigator.clipboard?.writeText(address).then(() => true, () => false);
  if (!copied) history.replaceState(null, '', hash);
  app.tell(copied ? 'A link to this moment is in the clipboard.' : 'The address of the page is a link to this moment now.');
}

/** @param {import('./api.js').Start} start */
function runCard(start) {
  if (app.recorded) recordings.leave();
  app.pick(start.scenario);
  goTo({ ...readPlace(location.hash), scenario: start.scenario }, false);
  void app.start(start).then(() => byId('stage').scrollIntoView({ block: 'start' }));
}

/** Turns to a lesson, and to its scenario unless the chosen one belongs to it too. @param {string} slug */
function visitLesson(slug) {
  const entry = app.lessons.find((each) => each.slug === slug);
  const scenario = app.scenario?.lesson === slug ? app.choice.scenario : entry?.scenario;
  goTo({ lesson: slug, scenario: scenario ?? app.choice.scenario }, false);
  follow();
}

/** Turns to a scenario, and to the lesson that explains it. @param {string} scenario */
function visitScenario(scenario) {
  goTo({ lesson: app.scenario?.lesson || readPlace(location.hash).lesson, scenario }, false);
  follow();
}

/** Shows what the page's address asks for. */
function follow() {
  const place = readPlace(location.hash);
  const first = app.lessons.toSorted((a, b) => a.order - b.order)[0];
  const slug = place.lesson || app.scenario?.lesson || first?.slug || '';
  void lesson.show(slug);
  if (place.scenario && place.scenario !== app.choice.scenario) app.pick(place.scenario);
  goTo({ lesson: slug, scenario: place.scenario || app.choice.scenario }, true);
}

function wireButtons() {
  const help = /** @type {HTMLDialogElement} */ (byId('help'));
  const lessonToggle = byId('lesson-toggle');
  byId('help-open').addEventListener('click', () => help.showModal());
  byId('theme-toggle').addEventListener('click', switchTheme);
  byId('present-toggle').addEventListener('click', present);
  wireKeyboard({
    s: () => void begin(), x: () => app.recorded || void app.stop(),
    e: () => panels.show('events'), q: () => panels.show('sequence'), w: () => panels.show('words'),
    i: () => panels.show('inspector'), a: () => panels.show('belief'), m: () => panels.show('steps'), c: () => panels.show('charts'),
    k: () => app.travel((playhead, here) => (playhead.mode === 'paused' ? playhead.play(here) : playhead.pause(here))),
    g: () => app.travel((playhead) => playhead.live()),
    ',': () => app.stepEvent(-1), '.': () => app.stepEvent(1), '[': () => app.stepMark(-1), ']': () => app.stepMark(1),
    b: breakChosen, n: () => app.stepping && void app.step({ do: 'next' }),
    l: () => lessonToggle.click(), p: present, t: switchTheme, '?': () => help.showModal(),
    escape: () => document.body.classList.contains('present') && present(),
  });
  nameTheme();
}

function switchTheme() {
  toggleTheme();
  nameTheme();
  timeline.restyle();
}

function nameTheme() {
  byId('theme-toggle').textContent = theme() === 'dark' ? 'Light' : 'Dark';
}

function present() {
  const on = document.documentElement.classList.toggle('present');
  document.body.classList.toggle('present', on);
  byId('present-toggle').textContent = on ? 'Leave' : 'Present';
  change();
}
