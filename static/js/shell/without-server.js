// What the pages have in common that play recordings without a server.

import { html, render } from '../lit.js';
import { parseRecording } from '../log/recording.js';
import { Playback } from '../play/playback.js';
import { decompress } from '../source/decompress.js';
import { clock, runTitle, settingsWords } from '../text/format.js';
import { t } from '../text/language.js';
import { readMoment } from '../play/address.js';
import { byId } from '../panel/panels.js';
import { reducedMotion } from '../ui/theme.js';

/** @import { Run } from '../events.d.ts' */
/** @import { Player } from './player.js' */

/**
 * Reads a recording, to be played.
 * @param {ReadableStream<Uint8Array>} bytes
 * @throws {import('../log/recording.js').BadRecording}
 */
export async function readRecording(bytes) {
  const { run, events } = await parseRecording(decompress(bytes));
  const playback = new Playback(run.lanes, run.clients, run.decisive);
  playback.take(events, performance.now());
  playback.finish();
  return { run: /** @type {Run} */ ({ ...run, state: 'finished', step: false }), playback };
}

/** Plays from the beginning, or stands there where nothing is to move by itself. @param {Player} player */
export function begin(player) {
  player.travel(({ playhead }, here) => {
    playhead.seek(0, here);
    if (!reducedMotion()) playhead.play(here);
  });
}

/** Goes to the moment that the address names. Says whether it names one of this run. @param {Player} player @param {Run} run */
export function goToMoment(player, run) {
  const moment = readMoment(location.hash);
  if (moment?.run !== run.id) return false;
  player.views.stand(moment.panel);
  player.travel(({ playhead }, here) => playhead.seek(moment.at, here, moment.seq || undefined));
  player.choose(moment.subject);
  return true;
}

/** @param {Run} run @param {number} end */
export const recordedView = (run, end) => html`
  <span class="badge waiting">${t`recording`}</span>
  <span class="fact"><strong>${runTitle(run)}</strong></span>
  <span class="fact">${settingsWords(run)}</span>
  <span class="fact">${t`${clock(end)} on ZooKeeper ${run.zookeeper.version}`}</span>`;

/** @param {string} news empty for none @param {boolean} [bad] */
export function tell(news, bad = false) {
  render(news ? html`<p class="alert ${bad ? 'bad' : ''}">${news}</p>` : html``, byId('alerts'));
}
