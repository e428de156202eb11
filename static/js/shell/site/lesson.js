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
import { copyMoment, readMoment } from '../../play/address.js';
import { draftView } from '../language.js';
import { read, toggleLesson, wireLessonPlace } from '../../lesson/place.js';
import { keepPlace, turnToPlace, wirePredictions } from '../../lesson/reader.js';
import { indexOfInstant, instants, StageLinks } from '../../lesson/stage-links.js';
import { byId } from '../../panel/panels.js';
import { Player } from '../player.js';
import { begin, goToMoment, readRecording, recordedView, tell } from '../without-server.js';
import { restoreTheme } from '../../ui/theme.js';
import { Solutions } from './solutions.js';

/** @import { Played } from '../player.js' */

const { lesson = '', root = '' } = document.body.dataset;
const address = (/** @type {string} */ file) => new URL(root + file, document.baseURI).href;
const article = byId('lesson-article');

// What takes no recording comes first: the rest may take a while.
restoreTheme();
wireLessonPlace();
wirePredictions(article);
turnToPlace(article, lesson);
keepPlace(article, () => lesson);

/** @type {Played} */
const played = { run: null, playback: new Playback([], 0), subject: undefined, stepping: false, catalogue: new Catalogue(await load('static/catalogue.json')) };
const player = new Player(played, {
  panels: {}, faultsOf: () => ({}), style: () => Promise.resolve(),
  files: () => (played.run ? { recording: address(`runs/${played.run.id}.ndjson.zst`) } : undefined),
  draw: ({ count }, now) => {
    if (played.run) render(recordedView(played.run, played.playback.clock.now(now)), byId('status'));
    solutions.draw(played, count);
  },
});
const solutions = new Solutions(article, (index) => travelToEvent(index));
/** The recording that was asked for last: an older one that comes later is not shown. */ let asked = '';

player.actions.add({
  lesson: toggleLesson,
  copyLink: async () => tell(await copyMoment(played, player.views.standing)),
});
render(draftView(), byId('help-language'));
new StageLinks(article, {
  reveal: () => read(false), open: (name) => player.views.open(name), goTo: goToInstant,
  inspect: (client) => played.playback.view.lanes[0] && player.inspect(clientSubject(played.playback.view.lanes[0].info.name, client)),
});
document.addEventListener('click', ({ target }) => {
  const button = /** @type {Element} */ (target).closest('button[data-recording]');
  if (button) void play(button.getAttribute('data-recording') ?? '', () => begin(player));
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

/**
 * Shows a recording, or says why that cannot be, and then nothing has changed.
 * @param {string} name @param {() => void} then where to stand in it
 */
async function play(name, then) {
  asked = name;
  if (played.run?.id !== name) {
    const recording = await fetchRecording(name);
    if (!recording || asked !== name) return;
    Object.assign(played, { run: { ...recording.run, id: name }, playback: recording.playback, subject: undefined });
    for (const button of recordingButtons()) {
      if (button.getAttribute('data-recording') === name) button.setAttribute('aria-current', 'true');
      else button.removeAttribute('aria-current');
    }
    byId('welcome').hidden = true;
  }
  tell('');
  read(false);
  then();
  if (narrow.matches) byId('stage').focus({ preventScroll: true });
  if (narrow.matches) requestAnimationFrame(() => requestAnimationFrame(showScene));
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

/** Shows the moment that the address names. */
function followAddress() {
  const moment = readMoment(location.hash);
  if (moment) void play(moment.run, () => played.run && goToMoment(player, played.run));
}

/** @param {number} index */
function travelToEvent(index) {
  read(false);
  player.travel(({ playhead }) => playhead.seekEvent(index));
}

/** Goes to an instant that the lesson names, if the recording has it. @param {string} name */
function goToInstant(name) {
  const { log } = played.playback;
  const index = indexOfInstant(log, name);
  const { after = 0 } = instants[name] ?? {};
  const event = log.event(index);
  if (event) player.travel(({ playhead }, here) => (after ? playhead.seek(event.at + after, here) : playhead.seekEvent(index)));
  else tell(played.run ? words.notYet() : words.nothing());
  if (narrow.matches) byId('caption').scrollIntoView({ block: 'start' });
}
