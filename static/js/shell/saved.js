// A page that was saved with its recording inside. It plays that and asks nobody for
// anything, so it works from a disk and without a network.

import { render } from '../lit.js';
import { embedded } from '../source/embedded.js';
import { Catalogue } from '../text/catalogue.js';
import { runTitle } from '../text/format.js';
import { t } from '../text/language.js';
import { copyMoment } from '../play/address.js';
import { toggleLesson, wireLessonPlace } from '../lesson/place.js';
import { draftView, translateDocument } from './language.js';
import { byId } from '../panel/panels.js';
import { Player } from './player.js';
import { begin, goToMoment, readRecording, recordedView, tell } from './without-server.js';

/** @import { Run } from '../events.d.ts' */
/** @import { Playback } from '../play/playback.js' */
/** @import { Played } from './player.js' */

translateDocument();
render(draftView(), byId('help-language'));
const found = await readRecording(embedded(byId('recording').textContent ?? '')).catch(explain);
if (found) show(found);

/** @param {unknown} failure */
function explain(failure) {
  const sentence = failure instanceof Error ? failure.message : String(failure);
  tell(t`This page's recording cannot be read. ${sentence}`, true);
}

/** @param {{ run: Run, playback: Playback }} recording */
function show({ run, playback }) {
  document.title = t`${runTitle(run)} · ZooKeeper lock playground`;
  /** @type {Played} */
  const played = { run, playback, subject: undefined, stepping: false, catalogue: new Catalogue(JSON.parse(byId('catalogue').textContent ?? '')) };
  const player = new Player(played, {
    panels: {}, draw: (_, now) => render(recordedView(run, playback.clock.now(now)), byId('status')),
    faultsOf: () => ({}), files: () => undefined, style: () => Promise.resolve(),
  });
  player.actions.add({
    copyLink: async () => tell(await copyMoment(played, player.views.standing)),
    ...(document.getElementById('lesson') && { lesson: toggleLesson }),
  });
  if (document.getElementById('lesson')) wireLessonPlace();
  if (!goToMoment(player, run)) begin(player);
  addEventListener('hashchange', () => goToMoment(player, run));
}
