// A link to an instant leads into the run itself while the playground has it, and else
// before the same run again.

import { fetchRecording } from '../source/api.js';
import { t } from '../text/language.js';

/** @import { Place } from '../play/address.js' */
/** @import { App } from './app.js' */
/** @import { Recordings } from './open-recording.js' */

/**
 * Shows the run of a link, or the recording that the server has kept of it. Where it has
 * none, the same run is offered. Says whether it is shown.
 * @param {Place} place @param {App} app @param {Recordings} recordings
 */
export async function reachRun(place, app, recordings) {
  const { run = '' } = place;
  await app.informed;
  if (app.run?.id === run) return true;
  const kept = await fetchRecording(run);
  if (kept) return recordings.show(kept, t`run ${run}`);
  app.repeat(place);
  app.say(t`The run of this link is not kept any more. Start runs the same again: same clients, delay and seed.`);
  return false;
}
