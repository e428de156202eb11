// The front page: it is the same for everybody, whatever has been run anywhere. It shows no
// run; whatever is run begins in a room.

import { goTo, readPlace, writePlace } from '../../play/address.js';
import { askDoors, askHealth, listLessons, listScenarios, place, Refused } from '../../source/api.js';
import { ClassDoors } from '../../class/doors.js';
import { translateDocument } from '../language.js';
import { LessonPanel } from '../../lesson/panel.js';
import { keepRead } from '../../lesson/pane.js';
import { clean } from '../../lesson/progress.js';
import { showEditor, showLesson, showTour, startAlone } from '../../class/own-room.js';
import { byId } from '../../ui/dom.js';
import { restoreTheme, theme, toggleTheme } from '../../ui/theme.js';
import { render } from '../../lit.js';
import { words } from '../../lesson/exercise-words.js';
import { inLanguage, t, translated } from '../../text/language.js';
import { frontView, healthView } from './front-view.js';
import { goOn } from './go-on.js';

/** @import { Start } from '../../source/api.js' */
/** @import { LessonEntry, Room, Scenario } from '../../types.d.ts' */

/** What the big button runs where no lesson is read. */
const USUAL = 'herd-vs-predecessor';
/** How often it is asked whether ZooKeeper is back, in milliseconds. */
const AGAIN = 3000;

/** @type {Scenario[]} */ let scenarios = [];
/** In the order of the course. @type {LessonEntry[]} */ let lessons = [];
/** @type {Room | undefined} */ let room;
/** @type {import('./go-on.js').GoOn | undefined} */ let before;
let asked = false;
let starting = false;
let notice = '';

if (readPlace(location.hash).run) location.replace(`${place.lobby}rooms/main${location.hash}`); // links of before each run was in a room of its own
translateDocument();
restoreTheme();
const doors = new ClassDoors(draw, () => void look());
const lesson = new LessonPanel(begin, (slug) => { goTo({ lesson: slug, scenario: '' }, 'viewer'); follow(); }, () => {
  keepRead(lesson.here);
  draw();
});
wireTheme();
wireStageWords(byId('lesson-article'));
if (location.hash === '#clean-slate') forgetProgress();
addEventListener('popstate', follow);
addEventListener('pageshow', ({ persisted }) => persisted && void comeBack());
document.addEventListener('visibilitychange', () => document.hidden || void lookAfterZooKeeper());
draw();
void lookAfterZooKeeper();
await attempt(async () => {
  const [listed, read] = await Promise.all([listScenarios(), listLessons()]);
  scenarios = listed.scenarios.map((each) => ({ ...each, title: translated(each.title), summary: translated(each.summary) }));
  lessons = inLanguage(read.lessons, ({ slug }) => slug).toSorted((a, b) => a.order - b.order);
});
lesson.list(lessons);
follow();
await look();
doors.follow();

/** Asks what there is to go on with. */
async function look() {
  await attempt(async () => {
    room = await askDoors();
    before = await goOn(room, lessons);
  });
  asked = true;
  draw();
}

/** The browser has kept the page as it was left. */
async function comeBack() {
  starting = false;
  await look();
}

/** Shows the lesson that the page's address asks for, if it does. */
function follow() {
  const { lesson: slug } = readPlace(location.hash);
  document.body.classList.toggle('with-lesson', slug !== '');
  byId('lesson-toggle').hidden = slug === '';
  void lesson.show(slug);
  draw();
}

/** The scenario that the address asks for, or that of the lesson, or the usual one. */
function chosen() {
  const { lesson: slug, scenario } = readPlace(location.hash);
  const wanted = scenario || lessons.find((each) => each.slug === slug)?.scenario || USUAL;
  return scenarios.find(({ name }) => name === wanted) ?? scenarios.find(({ name }) => name === USUAL) ?? scenarios[0];
}

function draw() {
  const scenario = chosen();
  const card = scenario ? lesson.cardOf(scenario.name) : null;
  render(frontView({
    scenario, reads: readPlace(location.hash).lesson !== '', card, lessons, asked, before, doors: doors.view(room), starting, notice,
  }, {
    run: () => (card ? lesson.run(card) : scenario && begin({ scenario: scenario.name })),
    tour: () => leave(showTour),
    write: () => leave(showEditor),
  }), byId('front'));
}

// A challenge is done in a room of the visitor's own.
byId('lesson-article').addEventListener('click', (event) => {
  if (!(/** @type {Element} */ (event.target)).closest('.challenge .run-link')) return;
  event.preventDefault();
  leave(() => showLesson(readPlace(location.hash).lesson, chosen()?.name ?? ''));
});

/** Begins a run in a room of the visitor's own. @param {Start} start */
function begin(start) {
  const slug = readPlace(location.hash).lesson || scenarios.find(({ name }) => name === start.scenario)?.lesson || '';
  leave(() => startAlone(start, writePlace({ lesson: slug, scenario: start.scenario })));
}

/** Does what leads to another page, or says why that cannot be. @param {() => Promise<void>} go */
function leave(go) {
  starting = true;
  draw();
  void attempt(go).then((left) => {
    starting = left;
    draw();
  });
}

/** Says whether it was not refused. @param {() => Promise<void>} request */
async function attempt(request) {
  notice = '';
  try {
    await request();
  } catch (failure) {
    if (!(failure instanceof Refused)) throw failure;
    notice = failure.message;
  }
  draw();
  return notice === '';
}

/** Says how ZooKeeper is, and while it is away, when it is back. */
async function lookAfterZooKeeper() {
  const zookeeper = await askHealth();
  render(healthView(zookeeper), byId('status'));
  if (zookeeper?.state !== 'live' && !document.hidden) setTimeout(() => void lookAfterZooKeeper(), AGAIN);
}

function wireTheme() {
  const button = byId('theme-toggle');
  const name = () => { button.textContent = theme() === 'dark' ? t`Light` : t`Dark`; };
  name();
  button.addEventListener('click', () => { toggleTheme(); name(); });
}

/** A word of the lesson that names a part of the picture has none here. @param {HTMLElement} article */
function wireStageWords(article) {
  article.addEventListener('click', (event) => {
    if (!(event.target instanceof Element) || !event.target.closest('a[data-stage]')) return;
    event.preventDefault();
    notice = t`Nothing runs yet: press “Run this” first.`;
    draw();
  });
}

/** The visitor wants to begin the lessons anew. */
function forgetProgress() {
  if (confirm(words.cleanAsk)) clean();
  history.replaceState(null, '', location.pathname);
}
