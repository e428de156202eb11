// A page that was saved with its recording inside. It plays that and asks nobody for
// anything, so it works from a disk and without a network.

import { render } from '../lit.js';
import { embedded } from '../source/embedded.js';
import { Catalogue } from '../text/catalogue.js';
import { runTitle } from '../text/format.js';
import { t } from '../text/language.js';
import { readPlace } from '../play/address.js';
import { Standing } from '../play/standing.js';
import { toggleLesson, wireLessonPane } from '../lesson/pane.js';
import { draftView, translateDocument } from './language.js';
import { byId } from '../panel/panels.js';
import { Player } from './player.js';
import { begin, readRecording, recordingView, tell } from './without-server.js';

/** @import { Recorded } from '../play/recorded.js' */
/** @import { Played } from './player.js' */

translateDocument();
render(draftView(), byId('help-language'));
const found = await readRecording(embedded(byId('recording').textContent ?? '')).catch(explain);
if (found) void show(found);

/** @param {unknown} failure */
function explain(failure) {
  const sentence = failure instanceof Error ? failure.message : String(failure);
  tell(t`This page's recording cannot be read. ${sentence}`, true);
}

/** @param {Recorded} recorded */
async function show(recorded) {
  const { run, playback } = recorded;
  document.title = t`${runTitle(run)} · ZooKeeper lock playground`;
  const standing = new Standing(() => played, () => player.change());
  /** @type {Played} */
  const played = { run, playback, standing, stepping: false, catalogue: new Catalogue(JSON.parse(byId('catalogue').textContent ?? '')) };
  const player = new Player(played, {
    panels: {}, draw: (_, now) => render(recordingView(run, playback.clock.now(now)), byId('status')),
    faultsOf: () => ({}), files: () => undefined, style: () => Promise.resolve(),
  });
  player.actions.add({
    copyLink: async () => tell(await standing.copyLink()),
    ...(document.getElementById('lesson') && { lesson: toggleLesson }),
  });
  if (document.getElementById('lesson')) wireLessonPane();
  const asked = () => readPlace(location.hash);
  if (asked().run === run.id) void standing.go(asked(), 'page');
  else begin(standing);
  addEventListener('hashchange', () => asked().run === run.id && standing.go(asked(), 'page'));
  const wrong = await recorded.readOn(() => player.change());
  if (wrong) tell(wrong, true);
}
