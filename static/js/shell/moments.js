// Links to a moment of a run: whoever opens one stands where the sender stood, in the
// run itself while the playground has it, and else before the same run again.

import { fetchRecording } from '../source/api.js';
import { t } from '../text/language.js';

/** @import { Moment } from '../play/address.js' */
/** @import { App } from './app.js' */
/** @import { Recordings } from './open-recording.js' */

/**
 * Goes to a moment: in the run that goes on, or in the recording that the server has
 * kept of it. Where it has none, the same run is offered. Says whether the page stands there.
 * @param {Moment} moment @param {App} app @param {Recordings} recordings
 */
export async function goToMoment(moment, app, recordings) {
  await app.informed;
  let there = app.run?.id === moment.run;
  if (!there) {
    const kept = await fetchRecording(moment.run);
    if (!kept) {
      app.repeat(moment);
      app.say(t`The run of this link is not kept any more. Start runs the same again: same clients, delay and seed.`);
      return false;
    }
    there = await recordings.show(kept, t`run ${moment.run}`);
  }
  if (there) app.travel(({ playhead }, here) => playhead.seek(moment.at, here, moment.seq || undefined));
  return there;
}
