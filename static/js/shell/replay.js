// A page that was saved with its recording inside. It plays that and asks nobody for
// anything, so it works from a disk and without a network.

import { parseRecording } from '../log/recording.js';
import { html, render } from '../lit.js';
import { Playback } from '../play/playback.js';
import { decompress } from '../source/decompress.js';
import { embedded } from '../source/embedded.js';
import { Catalogue } from '../text/catalogue.js';
import { clock, runTitle, settingsWords } from '../text/format.js';
import { t } from '../text/language.js';
import { copyMoment, readMoment } from './address.js';
import { wireLessonPlace } from './lesson/place.js';
import { draftView, translateDocument } from './language.js';
import { byId, isPanel } from './panels.js';
import { Player } from './player.js';
import { reducedMotion } from './theme.js';

/** @import { Event, Run } from '../events.d.ts' */
/** @import { Played } from './player.js' */

translateDocument();
render(draftView(), byId('help-language'));
const found = await parseRecording(decompress(embedded(byId('recording').textContent ?? ''))).catch(explain);
if (found) show(found.run, found.events);

/** @param {unknown} failure */
function explain(failure) {
  const sentence = failure instanceof Error ? failure.message : String(failure);
  render(html`<p class="alert bad">${t`This page's recording cannot be read. ${sentence}`}</p>`, byId('alerts'));
}

/** @param {Run} run @param {Event[]} events */
function show(run, events) {
  document.title = t`${runTitle(run)} · ZooKeeper lock playground`;
  const playback = new Playback(run.lanes, run.clients, run.decisive);
  playback.take(events, performance.now());
  playback.finish();
  /** @type {Played} */
  const played = {
    run: { ...run, state: 'finished', step: false }, playback, subject: undefined, stepping: false,
    catalogue: new Catalogue(JSON.parse(byId('catalogue').textContent ?? '')),
  };
  const player = new Player(played, {
    panels: {}, draw: (_, now) => render(statusView(run, playback.clock.now(now)), byId('status')),
    faultsOf: () => ({}), files: () => undefined, style: () => Promise.resolve(),
  });
  player.actions.add({
    copyLink: async () => tell(await copyMoment(played, player.panels.open)),
    ...(document.getElementById('lesson') && { lesson: () => byId('lesson-toggle').click() }),
  });
  if (document.getElementById('lesson')) wireLessonPlace();
  if (!goToMoment(player, run)) begin(player);
  addEventListener('hashchange', () => goToMoment(player, run));
}

/** Plays from the beginning, or stands there where nothing is to move by itself. @param {Player} player */
function begin(player) {
  player.travel(({ playhead }, here) => {
    playhead.seek(0, here);
    if (!reducedMotion()) playhead.play(here);
  });
}

/** Goes to the moment that the address names. Says whether it names one of this run. @param {Player} player @param {Run} run */
function goToMoment(player, run) {
  const moment = readMoment(location.hash);
  if (moment?.run !== run.id) return false;
  if (isPanel(moment.panel)) player.panels.show(moment.panel);
  player.travel(({ playhead }, here) => playhead.seek(moment.at, here, moment.seq || undefined));
  player.choose(moment.subject);
  return true;
}

/** @param {Run} run @param {number} end */
const statusView = (run, end) => html`
  <span class="badge waiting">${t`recording`}</span>
  <span class="fact"><strong>${runTitle(run)}</strong></span>
  <span class="fact">${settingsWords(run)}</span>
  <span class="fact">${t`${clock(end)} on ZooKeeper ${run.zookeeper.version}`}</span>`;

/** @param {string} news */
function tell(news) {
  render(html`<p class="alert">${news}</p>`, byId('alerts'));
}
