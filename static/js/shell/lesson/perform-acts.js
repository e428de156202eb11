// Does what a task asks for, as the visitor would: enters lines in the console, which
// shows and keeps them, injects faults, and waits for what is to happen.

import { createJudging, judge, skip, verdictOf } from '../../model/goal.js';
import { injectFault, place } from '../api.js';

/** @import { App } from '../app.js' */
/** @import { FaultRequest } from '../api.js' */
/** @import { Pattern } from '../../model/goal.js' */

/** A line to type, a fault to inject, perhaps into the reader's own client, or an event to wait for. @typedef {string | { break?: FaultRequest & { you?: boolean }, wait?: Pattern }} Act see lessons/act.go */

/** How long to wait for the console, and for an event, in milliseconds. */
const CONSOLE_WAIT = 10_000;
const EVENT_WAIT = 60_000;

/**
 * Says whether all were done; who is refused a fault is told so.
 * @param {App} app @param {Act[]} acts @param {() => { lane: string, client: number } | undefined} own the reader's client
 */
export async function performActs(app, acts, own) {
  let from = app.playback.log.length;
  for (const act of acts) {
    if (typeof act !== 'string' && act.wait) {
      from = await happened(app, act.wait, from);
      if (from < 0) return false;
      continue;
    }
    from = app.playback.log.length;
    const { you, ...fault } = (typeof act === 'string' ? undefined : act.break) ?? { fault: '' };
    const request = you ? { ...fault, ...own() } : fault;
    if (fault.fault ? !await app.try(() => injectFault(place.room, request)) : !await enter(String(act))) return false;
  }
  return true;
}

/** The console's prompt once it is connected; it counts the lines that are done. */
const prompt = () => /** @type {HTMLElement | null} */ (document.querySelector('.console-line label'))?.textContent?.match(/CONNECTED\) \d+\]/)?.[0];

/** Enters a line in the console, and waits until it is done. After quit it is joined anew. @param {string} line */
async function enter(line) {
  const before = await soon(prompt, CONSOLE_WAIT);
  const field = document.querySelector('.console-line input');
  if (!before || !(field instanceof HTMLInputElement)) return false;
  field.value = line;
  field.form?.requestSubmit();
  if (line !== 'quit') return Boolean(await soon(() => (prompt() !== before && prompt()) || undefined, CONSOLE_WAIT));
  const join = await soon(() => document.querySelector('.console-join') ?? undefined, CONSOLE_WAIT);
  if (join instanceof HTMLElement) join.click();
  return true;
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
