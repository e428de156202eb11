// The live page: the stream changes the app, and the player draws what it plays.

import { copyMoment, goTo, readMoment, readPlace } from './address.js';
import { exportAddress, place, recordingAddress } from './api.js';
import { App } from './app.js';
import { Ending } from './ending.js';
import { LessonPanel } from './lesson/panel.js';
import { read } from './lesson/place.js';
import { nothing, render } from '../lit.js';
import { indexOfInstant, instants, StageLinks } from './lesson/stage-links.js';
import { languageView, translateDocument } from './language.js';
import { byId } from './panels.js';
import { Player } from './player.js';
import { Recordings } from './recordings.js';
import { narrow } from '../view/stage.js';
import { style } from '../view/style.js';
import { clientSubject } from '../view/subject.js';
import { Stream, streamAddress } from '../source/live.js';
import { t } from '../text/language.js';
import { runBarView } from './run-bar-view.js';
import { alertsView, statusView } from './status-view.js';
import { remember } from './theme.js';
import { welcomeView } from './welcome-view.js';

/** @import { Frame } from '../view/frame.d.ts' */
/** @import { LaneActions } from '../view/lane-view.js' */
/** @import { Target } from './faults/menu.js' */

/** What the menu of faults may be about beside a client: the servers, or whoever comes first in each lane. */
const SERVERS = { lane: '', client: 0 };
const ANYBODY = { lane: '', client: -1 };
/** From so many events on, who comes late to a run does not load them all first. */
const LONG = 20_000;


let started = false;
/** @type {import('./faults/menu.js').FaultMenu | undefined} */ let menu;
/** In a long run. @type {import('./snapshots.js').Snapshots | undefined} */ let snapshots;
/** In a run to which the visitor came late. @type {import('./earlier.js').Earlier | undefined} */ let earlier;
/** Of a member of a class. @type {import('./class/member-goals.js').MemberGoals | undefined} */ let memberGoals;
/** In a room that is not the visitor's alone. @type {import('./class/page.js').ClassPage | undefined} */ let classPage;

translateDocument();
const asked = readPlace(location.hash);
/** Whether the visitor has just opened a class. */
const opensClass = location.hash === '#class';
/** Whether the visitor wants to begin the lessons anew. */
const cleans = location.hash === '#clean-slate';
/** Whether the visitor has chosen neither a room nor anything to see: the lobby's module, once it is there. @type {typeof import('./lobby.js') | undefined} */
const lobby = place.inLobby && !asked.lesson && !asked.scenario && !readMoment(location.hash) ? await import('./lobby.js') : undefined;

const app = new App(() => player.goOn(), visitScenario);
/** Once it has been opened. @type {Promise<import('./console/panel.js').ConsolePanel> | undefined} */ let typing;
/** Once it is here. @type {import('./console/panel.js').ConsolePanel | undefined} */ let terminal;
const player = new Player(app, {
  panels: {
    console: loadConsole,
    steps: async (panel) => {
      const [{ stepView }] = await Promise.all([import('../panel/step-view.js'), style('step')]);
      return { draw: () => render(stepView(app, () => ending.byHand(beginHeld)), panel) };
    },
  },
  draw, faultsOf, style,
  startNext,
  follows: () => classPage?.follows ?? false,
  lesson: () => lesson.slug,
  files: () => (app.run && !app.recorded ? { recording: recordingAddress(app.run.id), page: exportAddress(app.run.id) } : undefined),
});
/** In a lesson with goals or questions. @type {import('./lesson/exercises.js').Exercises | undefined} */ let exercises;
const lesson = new LessonPanel((start) => ending.byHand(() => runCard(start)), visitLesson, () => {
  player.change();
  if (byId('lesson-article').querySelector('.goal, .predict')) void loadExercises();
});
new StageLinks(byId('lesson-article'), {
  reveal: () => read(false), open: (name) => player.views.open(name), goTo: goToInstant,
  inspect: (client) => app.view.lanes[0] && player.inspect(clientSubject(app.view.lanes[0].info.name, client)),
});
const reader = app.reader();
const stream = new Stream(streamAddress(place.room, place.lobby), { ...reader, events: take }, {
  open: (url) => new WebSocket(url),
  later: (task, milliseconds) => setTimeout(task, milliseconds),
});
const ending = new Ending(app, () => Boolean(terminal?.takesPart || exercises?.begun));
const recordings = new Recordings(app, stream, ending);

player.actions.add({
  start: { act: () => ending.byKey('start', begin), possible: () => lobby !== undefined || app.may('control') },
  stop: { act: () => ending.byKey('stop', () => app.stop()), possible: () => !app.recorded && app.may('control') },
  break: breakChosen,
  next: { act: () => app.step({ do: 'next' }), possible: () => app.stepping && app.may('control') },
  console: async () => {
    player.panels.show('console');
    (await loadConsole()).focus();
  },
  lesson: () => byId('lesson-toggle').click(),
  guide: showAround,
  open: () => recordings.choose(),
  copyLink: async () => app.tell(await copyMoment(app, player.views.standing)),
});
render(languageView(), byId('help-language'));
byId('guide-offer').hidden = remember('guide') !== null;
byId('guide-offer').addEventListener('click', () => player.actions.do('guide'));
byId('guide-open').addEventListener('click', () => {
  /** @type {HTMLDialogElement} */ (byId('help')).close();
  player.actions.do('guide');
});
byId('help').addEventListener('toggle', async () => (await import('./kept.js')).tellKept(byId('help-kept'), `${place.lobby}api/rooms/${place.room}/runs`));
recordings.takeDrops(document);
stream.open();
addEventListener('online', () => stream.wake());
document.addEventListener('visibilitychange', () => document.hidden || stream.wake());
addEventListener('popstate', visit);
await app.load(asked.scenario);
lesson.list(app.lessons);
visit();
void loadMenu();
void tellGoals();
lobby?.followCode(app);
if (cleans) void loadExercises().then((own) => own.clean());
if (opensClass && app.room?.class?.code) void loadClass().then((own) => own.open());
if (!asked.lesson && !asked.scenario) void app.informed.then(joinRun);

/** Loads the menu of faults, after what is seen first. */
async function loadMenu() {
  const [{ FaultMenu }] = await Promise.all([import('./faults/menu.js'), style('fault-menu')]);
  return menu ??= new FaultMenu(app, byId('fault-menu'), () => player.change());
}

/** Loads the console, once. */
function loadConsole() {
  return typing ??= Promise.all([import('./console/panel.js'), style('console')])
    .then(([{ ConsolePanel }]) => terminal = new ConsolePanel(player.panels.element('console'), app, () => player.change()));
}

/** Loads what a lesson with goals or questions needs, and takes it up. */
async function loadExercises() {
  const [{ Exercises }] = await Promise.all([import('./lesson/exercises.js'), style('exercise')]);
  exercises ??= new Exercises(app, byId('lesson-article'), {
    seek: (index) => { read(false); player.travel(({ playhead }) => playhead.seekEvent(index)); },
    openConsole: () => { read(false); player.actions.do('console'); },
    type: async (line) => {
      read(false);
      player.panels.show('console');
      if (app.run?.state !== 'running') app.tell(t`Nothing runs yet: press “Run this” first.`);
      (await loadConsole()).type(line);
    },
    changed: () => player.change(),
    progressed: tellGoals,
    console: () => terminal?.client,
  });
  exercises.wire();
  return exercises;
}

/** Tells the class of the visitor which goals are met, if it is in one. */
async function tellGoals() {
  if (!app.room?.member) return;
  const { MemberGoals } = await import('./class/member-goals.js');
  memberGoals ??= new MemberGoals();
  void memberGoals.tell();
}

/** Opens it: at once, but for who asks before it is here. @param {Element} anchor @param {Target} target */
function openMenu(anchor, target) {
  if (menu) menu.open(anchor, target);
  else void loadMenu().then((loaded) => loaded.open(anchor, target));
}

/** @param {Target} target */
function isMenuOpen({ lane, client }) {
  return menu?.isOpen(lane, client) ?? false;
}

/** What only the live page has. @param {Frame} shown @param {number} here performance.now() */
function draw(shown, here) {
  render(statusView(app, app.playback.clock.now(here), breakServers, isMenuOpen(SERVERS)), byId('status'));
  render(alertsView(app), byId('alerts'));
  render(!app.may('control') && !app.recorded ? classPage?.runBar() : runBarView(app, {
    start: () => ending.byHand(begin), stop: () => ending.byHand(() => app.stop()), showSteps: () => player.panels.show('steps'), leave: () => recordings.leave(),
    breakAny, breaksAny: isMenuOpen(ANYBODY),
  }), byId('run-bar'));
  player.panels.withhold(app.recorded ? ['console', 'steps'] : []); // nothing can be done to a recording
  byId('welcome').hidden = app.run !== null;
  if (classPage) classPage.draw(here);
  else if (shared()) void loadClass();
  if (earlier) earlier.draw(player.missesEvents);
  else if (app.playback.log.start) void loadEarlier();
  if (!app.run) render(welcomeView(app, begin, showAround, lobby ? lobby.lobbyView(app) : nothing), byId('welcome'));
  else if (started) showLanes();
  menu?.draw(shown.at);
  exercises?.draw();
}

/** Takes events over; once a run is long, the page hands in what they come to. @param {import('../events.d.ts').Event[]} events */
function take(events) {
  reader.events(events);
  if (app.playback.log.length < LONG || !app.may('control')) return;
  if (snapshots) snapshots.look();
  else void import('./snapshots.js').then(({ Snapshots }) => { snapshots ??= new Snapshots(app); });
}

/** What only who came late needs. */
async function loadEarlier() {
  const { Earlier } = await import('./earlier.js');
  earlier ??= new Earlier(app, byId('earlier'), () => player.change());
  player.change();
}

/** Starts what is chosen; where the lanes are out of sight, they come into it. */
async function begin() {
  if (lobby && !app.run) {
    void lobby.startAlone(app, app.choiceToStart());
    return;
  }
  if (app.recorded) recordings.leave();
  started = await app.start() && narrow.matches;
  player.change();
}

/** Whether the room is not the visitor's alone. */
function shared() {
  return app.room !== undefined && (app.room.class !== undefined || !app.may('control'));
}

/** What only a room has that is not the visitor's alone. */
async function loadClass() {
  const [{ ClassPage }] = await Promise.all([import('./class/page.js'), style('class')]);
  classPage ??= new ClassPage(app, player, lesson, () => tryAlone());
  player.change();
  return classPage;
}

/** What the visitor may only look at here, in a room where everything is allowed. */
async function tryAlone(start = app.choiceToStart()) {
  void (await import('./lobby.js')).startAlone(app, start);
}

/** The guided start, of a run that goes on or else of a new one. Few ask for it twice. */
async function showAround() {
  byId('guide-offer').hidden = true;
  if (app.run?.state !== 'running') void begin();
  const [guide] = await Promise.all([import('./guide.js'), style('guide')]);
  guide.showAround(narrow.matches ? 'start' : 'nearest');
}

/** Starts what is chosen with the network held. */
function beginHeld() {
  if (app.recorded) recordings.leave();
  void app.start({ ...app.choiceToStart(), step: true });
}

function showLanes() {
  started = false;
  void import('../view/in-sight.js').then(({ showScene }) => showScene());
}

/** @param {string} lane @returns {Pick<LaneActions, 'breakIt' | 'opened'>} */
function faultsOf(lane) {
  return !app.may('control') ? {} : {
    breakIt: (client, anchor) => openMenu(anchor, { lane, client }),
    opened: (client) => isMenuOpen({ lane, client }),
  };
}

/** @param {Element} anchor */
function breakServers(anchor) {
  openMenu(anchor, SERVERS);
}

/** @param {Element} anchor */
function breakAny(anchor) {
  openMenu(anchor, ANYBODY);
}

/** Opens the menu of the client that has the focus, or that the inspector shows; while nobody holds, that of whoever comes first. */
function breakChosen() {
  const { subject } = app;
  const own = document.activeElement?.closest('.client')?.querySelector('.break');
  const shown = subject?.client && document.querySelector(`.lane[data-lane="${subject.lane}"] .client[data-client="${subject.client}"] .break`);
  const holder = document.querySelector('.lane.front .client.is-holds .break');
  const inspected = document.querySelector('#panel-inspector:not([hidden]) .break');
  const anchor = own || shown || inspected || holder || document.querySelector('.run-bar .break-any');
  if (anchor instanceof HTMLElement) anchor.click();
}

/** @param {import('./api.js').Start} start */
function runCard(start) {
  if (app.recorded) recordings.leave();
  app.pick(start.scenario);
  goTo({ ...readPlace(location.hash), scenario: start.scenario }, false);
  if ((lobby && !app.run) || !app.may('control')) {
    void tryAlone(start);
    return;
  }
  void app.start(start).then(() => {
    read(false);
    started = narrow.matches;
    player.change();
  });
}

/** Starts what is to be tried after a run, beside the lesson that explains it. @param {import('../text/next.js').Next} next */
function startNext({ scenario, clients, delay, seed }) {
  app.pick(scenario);
  visitScenario(scenario);
  runCard({ scenario, clients, delay, seed });
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
  follow(scenario);
}

/** Goes to an instant that the lesson names, if it has come. @param {string} name */
function goToInstant(name) {
  const index = indexOfInstant(app.playback.log, name);
  const { after = 0 } = instants[name] ?? {};
  const event = app.playback.log.event(index);
  if (event) player.travel(({ playhead }, here) => (after ? playhead.seek(event.at + after, here) : playhead.seekEvent(index)));
  else if (app.playback.log.start) player.travel(({ playhead }) => { playhead.early = () => goToInstant(name); });
  else app.tell(app.run ? t`That has not happened in this run yet.` : t`Nothing runs yet: press “Run this” first.`);
  if (narrow.matches) byId('caption').scrollIntoView({ block: 'start' });
}

/** Shows what the page's address asks for: a place, and perhaps a moment of a run. */
function visit() {
  const moment = readMoment(location.hash);
  follow();
  if (!moment) return;
  player.views.stand(moment.panel);
  void import('./moments.js').then(({ goToMoment }) => goToMoment(moment, app, recordings)).then((there) => there && player.choose(moment.subject));
}

/** Who comes without a wish gets what runs, and the lesson that explains that. */
function joinRun() {
  if (!app.scenario?.lesson) return;
  goTo({ lesson: app.scenario.lesson, scenario: app.choice.scenario }, true);
  follow(app.choice.scenario);
}

/** Shows the lesson and the scenario that the page's address asks for. @param {string} [section] the scenario to whose section the lesson is turned */
function follow(section) {
  const place = readPlace(location.hash);
  const first = app.lessons.toSorted((a, b) => a.order - b.order)[0];
  const slug = place.lesson || app.scenario?.lesson || first?.slug || '';
  void lesson.show(slug, section);
  if (place.scenario && place.scenario !== app.choice.scenario) app.pick(place.scenario);
  goTo({ lesson: slug, scenario: place.scenario || app.choice.scenario }, true);
}
