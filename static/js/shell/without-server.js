// What the pages have in common that play recordings without a server.

import { html, render } from '../lit.js';
import { Recorded } from '../play/recorded.js';
import { decompress } from '../source/decompress.js';
import { clock, runTitle, settingsWords } from '../text/format.js';
import { t } from '../text/language.js';
import { byId } from '../panel/panels.js';
import { reducedMotion } from '../ui/theme.js';

/** @import { Run } from '../events.d.ts' */
/** @import { Standing } from '../play/standing.js' */

/**
 * Reads the beginning of a recording, to be played.
 * @param {ReadableStream<Uint8Array>} bytes
 * @throws {import('../log/recording.js').BadRecording}
 */
export const readRecording = (bytes) => Recorded.begin(decompress(bytes));

/** Plays from the beginning, or stands there where nothing is to move by itself. @param {Standing} standing */
export function begin(standing) {
  void standing.go({ at: 0 }, 'page');
  if (!reducedMotion()) standing.travel(({ playhead }, here) => playhead.play(here));
}

/** @param {Run} run @param {number} end */
export const recordingView = (run, end) => html`
  <span class="badge waiting">${t`recording`}</span>
  <span class="fact"><strong>${runTitle(run)}</strong></span>
  <span class="fact">${settingsWords(run)}</span>
  <span class="fact">${t`${clock(end)} on ZooKeeper ${run.zookeeper.version}`}</span>`;

/** @param {string} news empty for none @param {boolean} [bad] */
export function tell(news, bad = false) {
  render(news ? html`<p class="alert ${bad ? 'bad' : ''}">${news}</p>` : html``, byId('alerts'));
}
