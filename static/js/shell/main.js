// The live page: the stream changes the app, and the player draws what it plays.

import { readPlace } from '../play/address.js';
import { exportAddress, place, recordingAddress } from '../source/api.js';
import { App } from './app.js';
import { Ending } from './ending.js';
import { FaultOpener } from '../faults/opener.js';
import { completed, placeOfChoice, placeOfLesson, proposed } from '../lesson/course.js';
import { LessonPanel } from '../lesson/panel.js';
import { keepRead, read, toggleLesson } from '../lesson/pane.js';
import { render } from '../lit.js';
import { languageView, translateDocument } from './language.js';
import { byId } from '../panel/panels.js';
import { Player } from './player.js';
import { Recordings } from './open-recording.js';
import { narrow, style } from '../ui/style.js';
import { clientSubject } from '../play/subject.js';
import { Stream, streamAddress } from '../source/live.js';
import { t } from '../text/language.js';
import { runBarView } from './run-bar-view.js';
import { alertsView, statusView } from './status-view.js';
import { StreamReader } from './stream-reader.js';

/** @import { Place } from '../play/address.js' */
/** @import { Shown } from '../play/shown.d.ts' */

/** The run that the visitor's start replaces, or '', until the lanes of the new one are in sight. @type {string | undefined} */ let replaced;
/** The lesson that was shown before the one that has come. */ let lessonBefore = '';
/** In a run to which the visitor came late. @type {import('./earlier.js').Earlier | undefined} */ let earlier;
/** Once something has been judged here. @type {import('../editor/judged-notice.js').JudgedNotice | undefined} */ let judged;
/** Of a member of a class. @type {import('../class/member-goals.js').MemberGoals | undefined} */ let memberGoals;
/** In a room that is not the visitor's alone. @type {import('../class/page.js').ClassPage | undefined} */ let classPage;
/** Once it has been opened. @type {import('../class/dialog.js').ClassDialog | undefined} */ let classDialog;
/** Once it has been seen that nothing was run here. @type {typeof import('./welcome-view.js') | undefined} */ let welcome;
/** Where the visitor is, once that is not plain. @type {typeof import('../class/where-view.js') | undefined} */ let where;
/** While it goes on. @type {import('../lesson/tour.js').Tour | undefined} */ let tour;

translateDocument();
/** The address with which the visitor came: what runs may soon have the page write another. */ const came = location.hash;
const asked = readPlace(came);
/** Whether the visitor has just opened a class. */
const opensClass = came === '#class';
/** Whether the visitor wants to write a lock, or was sent one. */
const writes = came.startsWith('#your-lock');
/** Whether the visitor wants to begin the lessons anew. */
const cleans = came === '#clean-slate';

const app = new App(() => player.goOn());
const { standing } = app;
standing.linked = asked.run !== undefined;
const faults = new FaultOpener(app, () => player.change());
/** Once it has been opened. @type {Promise<import('../panel/console/console-panel.js').ConsolePanel> | undefined} */ let typing;
/** Once it has been opened. @type {Promise<import('../editor/editor-panel.js').EditorPanel> | undefined} */ let editing;
/** In a lesson with challenges. @type {import('../lesson/challenges.js').Challenges | undefined} */ let challenges;
/** Once it is here. @type {import('../panel/console/console-panel.js').ConsolePanel | undefined} */ let terminal;
const player = new Player(app, {
  panels: {
    console: loadConsole,
    steps: async (panel) => {
      const [{ stepView }] = await Promise.all([import('../panel/steps/step-view.js'), style('step')]);
      return { draw: () => render(stepView(app, () => ending.byHand(beginHeld)), panel) };
    },
    source: loadEditor,
  },
  draw, faultsOf: (lane) => faults.of(lane), style,
  startNext,
  lesson: () => lesson.slug,
  typing: () => player.panels.open === 'console' && (terminal?.typing ?? false),
  follows: () => tour !== undefined || (classPage?.follows ?? false),
  files: () => (app.run && !app.recordingName ? { recording: recordingAddress(app.run.id), page: exportAddress(app.run.id) } : undefined),
});
/** In a lesson with goals or questions. @type {import('../lesson/exercises.js').Exercises | undefined} */ let exercises;
const lesson = new LessonPanel((start) => ending.byHand(() => runTask(start)), (slug) => standing.go(placeOfLesson(app, slug), 'viewer'), () => {
  player.change();
  keepRead(lesson.here);
  if (lessonBefore && lesson.here !== lessonBefore) player.actions.do('closeResult'); // it is of what ran beside another lesson
  lessonBefore = lesson.here;
  if (byId('lesson-article').querySelector('.goal, .predict')) void loadExercises();
  if (byId('lesson-article').querySelector('.challenge')) void loadChallenges();
});
/** @type {Stream} */
const stream = new Stream(streamAddress(place.room, place.lobby), new StreamReader(app, { close: () => stream.close(), withoutState: () => stream.withoutState() }), {
  open: (url) => new WebSocket(url),
  later: (task, milliseconds) => setTimeout(task, milliseconds),
});
const ending = new Ending(app, () => Boolean(terminal?.takesPart && !exercises?.over || exercises?.begun));
const recordings = new Recordings(app, stream, ending);
standing.ways = {
  turn: ({ lesson: slug, scenario, section }) => {
    if (slug) void lesson.show(slug, section);
    if (scenario && scenario !== app.choice.scenario) app.pick(scenario);
  },
  reach: async (wanted) => (await import('./moments.js')).reachRun(wanted, app, recordings),
};

player.actions.add({
  start: { act: () => ending.byKey('start', begin), possible: () => app.may('control') },
  stop: { act: () => ending.byKey('stop', () => app.stop()), possible: () => !app.recordingName && app.may('control') },
  break: { act: () => faults.ofChosen(player.front), possible: () => app.run?.state === 'running' && app.may('control') },
  next: { act: () => app.step({ do: 'next' }), possible: () => app.stepping && app.may('control') },
  console: async () => {
    player.panels.show('console');
    (await loadConsole()).focus();
  },
  lesson: toggleLesson,
  tour: beginTour,
  open: () => recordings.choose(),
  copyLink: async () => app.tell(await standing.copyLink()),
});
byId('class-open').addEventListener('click', () => void openClassDialog());
render(languageView(), byId('help-language'));
byId('tour-open').addEventListener('click', () => {
  /** @type {HTMLDialogElement} */ (byId('help')).close();
  player.actions.do('tour');
});
byId('help').addEventListener('toggle', async () => (await import('./kept.js')).tellKept(byId('help-kept'), `${place.lobby}api/rooms/${place.room}/runs`));
recordings.takeDrops(document);
stream.open();
addEventListener('online', () => stream.wake());
document.addEventListener('visibilitychange', () => document.hidden || stream.wake());
addEventListener('popstate', () => { const there = readPlace(location.hash); goToAddress({ ...there, ...proposed(app, there) }); });
await Promise.all([app.load(asked.scenario), linkStage()]); // before a lesson is there
lesson.list(app.lessons);
goToAddress(asked);
void tellGoals();
if (cleans) void loadExercises().then((own) => own.clean());
if (writes) player.panels.show('source');
if (opensClass) void openClassDialog();
if (!writes && !asked.lesson && !asked.scenario && !asked.tour) void app.informed.then(() => { if (app.scenario?.lesson) void standing.go(placeOfChoice(app), 'page'); });
void app.informed.then(() => standing.go(proposed(app, asked), 'page'));

/** Goes where an address says, beside the lesson of that. @param {Place} there */
function goToAddress(there) {
  const { tour: step } = there;
  if (step) void app.informed.then(() => showTour(step - 1));
  else void standing.go(completed(app, there), 'page');
}

/** Lets the words of a lesson lead to the stage. */
async function linkStage() {
  const { goToInstant, StageLinks } = await import('../lesson/stage-links.js');
  new StageLinks(byId('lesson-article'), {
    reveal: () => read(false), open: (name) => player.views.open(name),
    goTo: (name) => { goToInstant(app, name); if (narrow.matches) byId('caption').scrollIntoView({ block: 'start' }); },
    inspect: (client) => app.view.lanes[0] && standing.inspect(clientSubject(app.view.lanes[0].info.name, client)),
  });
}

/** Loads the console, once. */
function loadConsole() {
  return typing ??= Promise.all([import('../panel/console/console-panel.js'), style('console')])
    .then(([{ ConsolePanel }]) => terminal = new ConsolePanel(player.panels.element('console'), app, () => player.change()));
}

/** Loads what a lesson with challenges needs, and takes it up. */
async function loadChallenges() {
  const [{ Challenges }] = await Promise.all([import('../lesson/challenges.js'), style('exercise')]);
  challenges ??= new Challenges(app, byId('lesson-article'), {
    openEditor: () => { read(false); player.panels.show('source'); return loadEditor(); },
    see: (run, { seq = 0, at = 0 }) => { read(false); void standing.go({ run, at, seq, panel: '' }, 'viewer'); },
    progressed: () => { void tellGoals(); player.change(); },
  });
  challenges.wire();
}

/** The panel in which a lock is written. */
function loadEditor() {
  editing ??= Promise.all([import('../editor/editor-panel.js'), style('editor')])
    .then(([{ EditorPanel }]) => new EditorPanel(player.panels.element('source'), app, came, { run: (start) => ending.byHand(() => runCard(start)) }));
  return editing;
}

/** Loads what a lesson with goals or questions needs, and takes it up. */
async function loadExercises() {
  const [{ Exercises }] = await Promise.all([import('../lesson/exercises.js'), style('exercise')]);
  exercises ??= new Exercises(app, byId('lesson-article'), {
    seek: (seq) => { read(false); void standing.go({ seq }, 'viewer'); },
    openConsole: () => { read(false); player.actions.do('console'); return loadConsole(); },
    type: async (line) => {
      read(false);
      player.panels.show('console');
      if (app.run?.state !== 'running') app.tell(t`Nothing runs yet: press “Run this” first.`);
      (await loadConsole()).type(line);
    },
    changed: () => player.change(),
    progressed: tellGoals,
    console: () => terminal,
  });
  exercises.wire();
  return exercises;
}

/** Tells the class of the visitor which goals are met, if it is in one. */
async function tellGoals() {
  if (!app.room?.member) return;
  const { MemberGoals } = await import('../class/member-goals.js');
  memberGoals ??= new MemberGoals();
  void memberGoals.tell();
}

/** What only the live page has. @param {Shown} shown @param {number} here performance.now() */
function draw(shown, here) {
  render(statusView(app, app.playback.clock.now(here), faults.servers.open, faults.servers.isOpen()), byId('status'));
  if (where) render(where.whereView(app), byId('where'));
  else if (app.link === 'gone' || app.room?.inClass) void loadWhere();
  render(alertsView(app), byId('alerts'));
  render(!app.may('control') && !app.recordingName ? classPage?.runBar() : runBarView(app, {
    start: () => ending.byHand(begin), stop: () => ending.byHand(() => app.stop()), showSteps: () => player.panels.show('steps'), leave: () => recordings.leave(),
    breakAny: faults.anybody.open, breaksAny: faults.anybody.isOpen(),
  }), byId('run-bar'));
  player.panels.withhold(app.recordingName ? ['console', 'steps'] : []); // nothing can be done to a recording
  byId('welcome').hidden = app.run !== null;
  if (classPage) classPage.draw(here);
  else if (shared()) void loadClass();
  classDialog?.draw();
  if (judged) judged.draw();
  else if (app.judged) void loadJudged();
  if (earlier) earlier.draw(player.missesEvents);
  else if (app.playback.log.start) void loadEarlier();
  if (!app.run && welcome) render(welcome.welcomeView(app, begin, lesson.cardOf(app.choice.scenario), (card) => lesson.run(card)), byId('welcome'));
  else if (!app.run) void loadWelcome();
  else if (replaced !== undefined && app.run.id !== replaced && player.drawsRun && shown.view.lanes.length) showLanes();
  if (player.drawsRun) faults.draw(shown.at);
  exercises?.draw();
  tour?.draw();
}

/** What only who came late needs. */
async function loadEarlier() {
  const { Earlier } = await import('./earlier.js');
  earlier ??= new Earlier(app, byId('earlier'), () => player.change());
  player.change();
}

/** What only a room needs in which something is judged. */
async function loadJudged() {
  const { JudgedNotice } = await import('../editor/judged-notice.js');
  judged ??= new JudgedNotice(app, byId('judged'), player.panels);
  player.change();
}

/** Starts what is chosen. */
async function begin() {
  if (app.recordingName) recordings.leave();
  void player.loadRun();
  await startInSight(() => app.start());
}

/** Where the lanes are out of sight, they come into it once those of the new run are drawn. @param {() => Promise<boolean>} start */
async function startInSight(start) {
  const before = app.run?.id ?? '';
  if (!await start() || !narrow.matches) return;
  replaced = before;
  player.change();
}

/** Whether the room is not the visitor's alone. */
function shared() {
  return app.room !== undefined && (app.room.class !== undefined || !app.may('control'));
}

/** What only a room has that is not the visitor's alone. */
async function loadClass() {
  const [{ ClassPage }] = await Promise.all([import('../class/page.js'), style('class')]);
  classPage ??= new ClassPage(app, player, lesson, () => tryAlone());
  player.change();
  return classPage;
}

/** What a room shows where nothing has been run. */
async function loadWelcome() {
  welcome ??= await import('./welcome-view.js');
  player.change();
}

/** Says where the visitor is, when that is not plain. */
async function loadWhere() {
  [where] = await Promise.all([import('../class/where-view.js'), style('class')]);
  player.change();
}

/** The doors of classes, or the class that the visitor teaches. */
async function openClassDialog() {
  const [{ ClassDialog }] = await Promise.all([import('../class/dialog.js'), style('class')]);
  classDialog ??= new ClassDialog(app);
  classDialog.open();
}

/** What the visitor may only look at here, in a room where everything is allowed. */
function tryAlone(start = app.choiceToStart()) {
  void app.try(async () => (await import('../class/own-room.js')).startAlone(start));
}

function beginTour() {
  if (app.room?.own === place.room) void ending.byHand(() => showTour(0));
  else void app.try(async () => (await import('../class/own-room.js')).showTour());
}

/** @param {number} step from 0 */
async function showTour(step) {
  const [{ Tour }] = await Promise.all([import('../lesson/tour.js'), style('tour')]);
  tour?.end();
  tour = new Tour(app, player, step, () => { tour = undefined; });
}

/** Starts what is chosen with the network held. */
function beginHeld() {
  if (app.recordingName) recordings.leave();
  void app.start({ ...app.choiceToStart(), step: true });
}

function showLanes() {
  replaced = undefined;
  void import('../stage/picture/in-sight.js').then(({ showScene }) => showScene());
}

/** Runs what the lesson speaks of next: what was open for another run makes room for it. @param {import('../source/api.js').Start} start */
function runTask(start) {
  if (start.scenario !== app.run?.scenario && player.panels.open !== 'source') player.panels.close();
  runCard(start);
}

/** @param {import('../source/api.js').Start} start */
function runCard(start) {
  if (app.recordingName) recordings.leave();
  app.pick(start.scenario);
  void standing.go({ scenario: start.scenario }, 'viewer');
  if (!app.may('control')) {
    tryAlone(start);
    return;
  }
  void startInSight(async () => {
    const done = await app.start(start);
    read(false);
    return done;
  });
}

/** Starts what is to be tried after a run, beside the lesson that explains it. @param {import('../stage/next.js').Next} next */
function startNext({ scenario, clients, delay, seed }) {
  app.pick(scenario);
  void standing.go(placeOfChoice(app), 'viewer');
  runCard({ scenario, clients, delay, seed });
}
