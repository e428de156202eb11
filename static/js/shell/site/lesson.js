// A lesson of the static course: its text, and beside it the recordings of its runs. It
// asks for files of its own site and nothing else.

import { render } from '../../lit.js';
import { BadRecording } from '../../log/recording.js';
import { Playback } from '../../play/playback.js';
import { Catalogue } from '../../text/catalogue.js';
import { words } from '../../text/site.js';
import { showScene } from '../../stage/picture/in-sight.js';
import { narrow } from '../../ui/style.js';
import { clientSubject } from '../../play/subject.js';
import { readPlace } from '../../play/address.js';
import { Standing } from '../../play/standing.js';
import { draftView } from '../language.js';
import { read, toggleLesson, wireLessonPane } from '../../lesson/pane.js';
import { Predictions } from '../../lesson/predictions.js';
import { keepPlace, turnToPlace, wirePredictions } from '../../lesson/reader.js';
import { placeOfInstant, StageLinks } from '../../lesson/stage-links.js';
import { byId } from '../../panel/panels.js';
import { Player } from '../player.js';
import { begin, readRecording, recordingView, tell } from '../without-server.js';
import { restoreTheme } from '../../ui/theme.js';
import { Solutions } from './solutions.js';

/** @import { Recorded } from '../../play/recorded.js' */
/** @import { Played } from '../player.js' */

const { lesson = '', root = '' } = document.body.dataset;
const address = (/** @type {string} */ file) => new URL(root + file, document.baseURI).href;
const article = byId('lesson-article');

// What takes no recording comes first: the rest may take a while.
restoreTheme();
wireLessonPane();
wirePredictions(article);
turnToPlace(article, lesson);
keepPlace(article, () => lesson);

const standing = new Standing(() => played, () => player.change());
standing.ways.reach = ({ run = '' }) => show(run);
/** @type {Played} */
const played = { run: null, playback: new Playback([], 0), standing, stepping: false, catalogue: new Catalogue(await load('static/catalogue.json')) };
const player = new Player(played, {
  panels: {}, faultsOf: () => ({}), style: () => Promise.resolve(),
  files: () => (played.run ? { recording: address(`runs/${played.run.id}.ndjson.zst`) } : undefined),
  draw: ({ count }, now) => {
    if (played.run) render(recordingView(played.run, played.playback.clock.now(now)), byId('status'));
    solutions.draw(played, count);
    predictions.draw();
  },
});
const solutions = new Solutions(article, (seq) => { read(false); void standing.go({ seq }, 'viewer'); });
/** Here the lesson's author did what a question asks of the reader. */
const predictions = new Predictions(played, article, { count: 0, isMine: () => true }, () => player.change());
predictions.wire();
/** The recording that was asked for last: an older one that comes later is not shown. */ let asked = '';
/** What is played. @type {Recorded | undefined} */ let shown;

player.actions.add({
  lesson: toggleLesson,
  copyLink: async () => tell(await standing.copyLink()),
});
render(draftView(), byId('help-language'));
new StageLinks(article, {
  reveal: () => read(false), open: (name) => player.views.open(name), goTo: goToInstant,
  inspect: (client) => played.playback.view.lanes[0] && standing.inspect(clientSubject(played.playback.view.lanes[0].info.name, client)),
});
document.addEventListener('click', ({ target }) => {
  const button = /** @type {Element} */ (target).closest('button[data-recording]');
  if (button) void show(button.getAttribute('data-recording') ?? '').then((there) => there && begin(standing));
});
addEventListener('hashchange', followAddress);
followAddress();
player.change();
for (const button of recordingButtons()) button.disabled = false; // a click before would have been lost

/** What plays a recording when it is pressed. @returns {NodeListOf<HTMLButtonElement>} */
function recordingButtons() {
  return document.querySelectorAll('button[data-recording]');
}

/** A file of the site; nothing where it cannot be had: then things have their names alone. @param {string} file @returns {Promise<object>} */
async function load(file) {
  const answer = await fetch(address(file)).catch(() => undefined);
  return answer?.ok ? answer.json() : {};
}

/** Shows a recording, or says why that cannot be, and then nothing has changed. Says whether it is shown. @param {string} name */
async function show(name) {
  asked = name;
  if (played.run?.id !== name) {
    const recording = await fetchRecording(name);
    if (!recording || asked !== name) {
      recording?.close();
      return false;
    }
    shown?.close();
    shown = recording;
    Object.assign(played, { run: { ...recording.run, id: name }, playback: recording.playback });
    void readOn(recording);
    for (const button of recordingButtons()) {
      if (button.getAttribute('data-recording') === name) button.setAttribute('aria-current', 'true');
      else button.removeAttribute('aria-current');
    }
    byId('welcome').hidden = true;
  }
  tell('');
  read(false);
  if (narrow.matches) byId('stage').focus({ preventScroll: true });
  if (narrow.matches) requestAnimationFrame(() => requestAnimationFrame(showScene));
  return true;
}

/** @param {Recorded} recorded */
async function readOn(recorded) {
  const wrong = await recorded.readOn(() => player.change());
  if (wrong && recorded === shown) tell(wrong, true);
}

/** @param {string} name */
async function fetchRecording(name) {
  tell(words.loading());
  try {
    const answer = await fetch(address(`runs/${name}.ndjson.zst`)).catch(() => undefined);
    if (!answer?.ok || !answer.body) throw new BadRecording(answer ? words.absent(answer.status) : words.unreachable());
    return await readRecording(answer.body);
  } catch (failure) {
    if (!(failure instanceof BadRecording)) throw failure;
    if (asked === name) tell(words.missing(failure.message), true);
    return undefined;
  }
}

/** Goes to the instant that the address names. */
function followAddress() {
  const place = readPlace(location.hash);
  if (place.run) void standing.go(place, 'page');
}

/** Goes to an instant that the lesson names, if the recording has it. @param {string} name */
function goToInstant(name) {
  const place = placeOfInstant(played.playback.log, name);
  if (place) void standing.go(place, 'viewer');
  else if (played.playback.clock.reading) standing.travel(({ playhead }) => { playhead.wanted = { at: 0, go: () => goToInstant(name) }; });
  else tell(played.run ? words.notYet() : words.nothing());
  if (narrow.matches) byId('caption').scrollIntoView({ block: 'start' });
}
