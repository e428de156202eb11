// Does what a task asks for, as the visitor would: enters lines in the console, which
// shows and keeps them, injects faults, and waits for what is to happen.

import { createJudging, judge, skip, verdictOf } from '../model/goal.js';
import { injectFault, place } from '../source/api.js';
import { filledLine, ownZnodes } from './own-znodes.js';

/** @import { App } from '../shell/app.js' */
/** @import { FaultRequest } from '../source/api.js' */
/** @import { ConsolePanel } from '../panel/console/console-panel.js' */
/** @import { Pattern } from '../model/goal.js' */

/** A line to type, a fault to inject, perhaps into the reader's own client, or an event to wait for. @typedef {string | { break?: FaultRequest & { you?: boolean }, wait?: Pattern }} Act see lessons/act.go */

/** How long to wait for the console, and for an event, in milliseconds. */
const CONSOLE_WAIT = 10_000;
const EVENT_WAIT = 60_000;

/**
 * Says whether all were done; who is refused a fault is told so.
 * @param {App} app @param {Act[]} acts @param {ConsolePanel | undefined} own the reader's console
 */
export async function performActs(app, acts, own) {
  let from = app.playback.log.length;
  for (const act of acts) {
    if (typeof act !== 'string' && act.wait) {
      from = await happened(app, own && act.wait.path ? { ...act.wait, path: await filled(app, own, act.wait.path) } : act.wait, from);
      if (from < 0) return false;
      continue;
    }
    from = app.playback.log.length;
    const { you, ...fault } = (typeof act === 'string' ? undefined : act.break) ?? { fault: '' };
    const request = you ? { ...fault, ...own?.client } : fault;
    if (fault.fault ? !await app.try(() => injectFault(place.room, request)) : !(own && await enter(own, await filled(app, own, String(act))))) return false;
  }
  return true;
}

/** A line, or a path, with the numbers of the reader's znodes, once the page is told of them. @param {App} app @param {ConsolePanel} own @param {string} line */
async function filled(app, own, line) {
  const { lane, client } = own.client;
  return await soon(() => filledLine(line, ownZnodes(app.view.lanes.find(({ info }) => info.name === lane), client)), CONSOLE_WAIT) ?? line;
}

/** Enters a line in the console, and waits until it is done. After quit it is joined anew. @param {ConsolePanel} own @param {string} line */
async function enter(own, line) {
  if (!own.enter(line)) return false;
  if (line === 'quit') await soon(() => !own.takesPart || undefined, CONSOLE_WAIT);
  if (line === 'quit') own.join();
  return await soon(() => own.ready || undefined, CONSOLE_WAIT) ?? false;
}

/** Waits for an event that fits; gives how many events of the log are no concern of the next wait, or -1. @param {App} app @param {Pattern} where @param {number} from */
async function happened(app, where, from) {
  const { log } = app.playback;
  const judging = createJudging({ steps: [{ is: '', missing: '', where }] }, app.run?.lanes ?? []);
  judging.next = log.start + 1;
  let next = log.start;
  const found = await soon(() => {
    for (; next < log.length; next++) {
      const event = log.event(next);
      if (event) (next < from ? skip : judge)(judging, event);
      if (verdictOf(judging).state === 'met') return next + 1;
    }
    return app.run?.state === 'running' ? undefined : -1;
  }, EVENT_WAIT);
  return found ?? -1;
}

/** What there is, or will be soon; undefined if not. @template T @param {() => T | undefined} look @param {number} wait in milliseconds @returns {Promise<T | undefined>} */
function soon(look, wait) {
  const begun = performance.now();
  return new Promise((resolve) => {
    const again = () => {
      const found = look();
      if (found !== undefined || performance.now() - begun > wait) resolve(found);
      else requestAnimationFrame(again);
    };
    again();
  });
}
