// Whether the log of a run shows what a lesson asks its reader to bring about: the judge
// of playground/goal, here because a page judges without a server, too. Its package says
// what passes, and why there are two; testdata/cases.json what both must find.

import { hasCode } from './reason.js';

/** @import { Event, Lane as LaneInfo } from '../events.d.ts' */

/**
 * Fields that an event has; what is not there is not asked for. See playground/goal/goal.go.
 * @typedef {{ kind: Event['kind'], or?: Event['kind'], ops?: string[], causes?: string[], refused?: boolean, err?: string, by?: 'you' | 'others',
 *   path?: string, mode?: string, watch?: boolean, type?: string, fault?: string, lane?: string, number?: number, check?: string, verdict?: string,
 *   because?: string, znode?: string, client?: string }} Pattern
 */
/** @typedef {{ is: string, missing: string, where: Pattern, follows?: boolean }} Step follows: it comes after the step before it, where others do in any order */
/** @typedef {{ why: string, undoes?: boolean, where: Pattern }} Mistake */
/** @typedef {{ steps: Step[], anyOrder?: boolean, mistakes?: Mistake[] }} Goal */

/** @typedef {'met' | 'not-yet' | 'cannot-tell'} State */
/** @typedef {'step' | 'mistake' | 'nobody' | 'over' | 'cut' | 'unread' | 'unseen'} Reason see playground/goal/judge.go */

/**
 * @typedef {object} Verdict
 * @property {State} state
 * @property {Reason} [reason]
 * @property {number} step that is missing, and mistake that was made: indexes, where the reason is theirs
 * @property {number} mistake
 * @property {number} at the number of the event that explains it, or 0
 * @property {number[]} done of each step the number of its event, or 0
 */

/** @typedef {{ done: number[], names: Record<string, string> }} Way some steps done, one way or another, and what their names stand for */

/**
 * @typedef {object} Judging
 * @property {Goal} goal
 * @property {(joined: Event) => boolean} isYours
 * @property {Record<string, string>} roots of lanes
 * @property {Set<string>} you the clients that are the reader's
 * @property {Map<string, Map<number, Event>>} asked by client and xid, while the reply may come
 * @property {boolean} joined
 * @property {boolean} tried they have asked for something, or something was broken; the page's alone
 * @property {Reason | undefined} trouble why nobody can tell, for good
 * @property {boolean} blind
 * @property {boolean} over
 * @property {number} next
 * @property {Way[]} ways the first has no step done
 * @property {number[] | undefined} met
 * @property {number} mistake
 * @property {number} slipped the event of the newest mistake
 */

/** So many ways through a log are followed at once. */
const MOST_WAYS = 100;

/** @param {Goal} goal @param {Pick<LaneInfo, 'name' | 'root'>[]} lanes @param {(joined: Event) => boolean} [isYours] by default, whoever joins is the reader's @returns {Judging} */
export const createJudging = (goal, lanes, isYours = () => true) => ({
  goal, isYours, roots: Object.fromEntries(lanes.map(({ name, root = '' }) => [name, root])), you: new Set(), asked: new Map(),
  joined: false, tried: false, trouble: undefined, blind: false, over: false, next: 1,
  ways: [{ done: goal.steps.map(() => 0), names: {} }], met: undefined, mistake: 0, slipped: 0,
});

/** Reads the next event. @param {Judging} j @param {Event} event */
export function judge(j, event) {
  if (event.seq !== j.next) j.trouble = 'cut';
  j.next = event.seq + 1;
  if (j.met || j.over) return;
  const whole = learn(j, event);
  blame(j, whole);
  advance(j, whole);
}

/** Reads the next event without judging it. @param {Judging} j @param {Event} event */
export function skip(j, event) {
  j.next = event.seq + 1;
  learn(j, event);
}

/** Takes up who takes part and what was asked, which a reply does not repeat. @param {Judging} j @param {Event} event @returns {Event} */
function learn(j, event) {
  const who = clientOf(event);
  if (event.kind === 'note.joined' && j.isYours(event)) {
    j.you.add(who);
    j.joined = true;
  } else if (event.kind === 'note.left') {
    j.you.delete(who);
    j.asked.delete(who);
  }
  else if (event.kind === 'note.stopping') j.over = true;
  else if (event.kind === 'note.truncated') j.trouble = 'cut';
  else if (event.kind === 'tree.lost' || event.kind === 'tree.synced') j.blind = event.kind === 'tree.lost';
  else if (event.kind === 'wire.undecoded' && j.you.has(who)) j.trouble = 'unread';
  else if (event.kind === 'fault.injected' || event.kind === 'fault.armed') j.tried = true;
  else if (event.kind === 'wire.sent') {
    if (!j.asked.has(who) || event.op === 'connect') j.asked.set(who, new Map()); // what was asked on the connection before is answered by nobody
    j.asked.get(who)?.set(event.xid ?? 0, event);
    j.tried ||= j.you.has(who) && (event.xid ?? 0) > 0;
  }
  else if (event.kind === 'wire.dropped') j.asked.get(who)?.delete(event.xid ?? 0);
  else if (event.kind === 'wire.received') {
    const asked = j.asked.get(who)?.get(event.xid ?? 0);
    j.asked.get(who)?.delete(event.xid ?? 0);
    return { ...event, flags: asked?.flags ?? '', path: event.path || asked?.path || '' };
  }
  return event;
}

/** Looks whether it is a mistake in one of the ways. In a mistake a name stands for what a step has named. @param {Judging} j @param {Event} event */
function blame(j, event) {
  for (const [index, { where, undoes }] of (j.goal.mistakes ?? []).entries()) {
    const is = (/** @type {Way} */ way) => {
      const names = match(j, where, event, way.names);
      return names !== undefined && Object.keys(names).length === Object.keys(way.names).length && (!undoes || stepsOf(way) > 0);
    };
    if (!j.ways.some(is)) continue;
    j.mistake = index;
    j.slipped = event.seq;
    if (undoes) j.ways = j.ways.filter((way) => !is(way));
  }
}

/** Follows every way on which it is a step. The way without it stays: it may be another event that leads to the end. Of two that are the same the newer counts. @param {Judging} j @param {Event} event */
function advance(j, event) {
  for (const from of [...j.ways]) {
    for (const [index, step] of j.goal.steps.entries()) {
      const after = index > 0 && (step.follows || !j.goal.anyOrder);
      if (from.done[index] || (after && !from.done[index - 1])) continue;
      const names = match(j, step.where, event, from.names);
      if (!names) continue;
      const way = { done: from.done.with(index, event.seq), names };
      if (stepsOf(way) === way.done.length) {
        j.met = way.done;
        return;
      }
      j.ways = [...j.ways.filter((other) => !same(way, other)), way];
    }
  }
  if (j.ways.length > MOST_WAYS) j.ways.splice(1, j.ways.length - MOST_WAYS);
}

/** Compares an event; gives the names with those that the pattern adds, undefined if it does not fit. @param {Judging} j @param {Pattern} p @param {Event} event @param {Record<string, string>} names */
function match(j, p, event, names) {
  const you = j.you.has(clientOf(event));
  const anew = event.kind === p.or;
  const fits = (event.kind === p.kind || anew) && Boolean(p.refused) === Boolean(event.err)
    && (!p.ops || p.ops.includes(event.op ?? '')) && (!p.causes || p.causes.includes(event.cause ?? ''))
    && !(p.by === 'you' && !you) && !(p.by === 'others' && you) && !(p.watch && !event.watch)
    && (!p.err || p.err === event.err) && (!p.mode || p.mode === (event.flags || 'persistent'))
    && (!p.type || p.type === event.type) && (!p.fault || p.fault === event.fault)
    && (!p.lane || p.lane === event.lane) && (!p.number || p.number === event.client)
    && (!p.check || p.check === event.check) && (!p.verdict || anew || p.verdict === event.verdict)
    && (!p.because || hasCode(event.reason, p.because))
    && (!p.path || pathFits(p.path, inLane(j, event)));
  if (!fits) return undefined;
  const added = { ...names };
  for (const [name, is] of /** @type {[string | undefined, string][]} */ ([[p.znode, event.path ?? ''], [p.client, clientOf(event)]])) {
    if (!name) continue;
    if (name in added && added[name] !== is) return undefined;
    added[name] = is;
  }
  return added;
}

/** Its path as a console of its lane sees it. @param {Judging} j @param {Event} event */
function inLane({ roots }, { lane = '', path = '' }) {
  const root = roots[lane] ?? '';
  if (path === root) return '/';
  return path.startsWith(root) ? path.slice(root.length) : path;
}

/** @param {string} pattern @param {string} path */
const pathFits = (pattern, path) => (pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern);

/** What the events so far say. @param {Judging} j @returns {Verdict} */
export function verdictOf(j) {
  const verdict = { step: 0, mistake: 0, at: 0 };
  if (j.met) return { ...verdict, state: 'met', done: j.met };
  const best = j.ways.reduce((a, b) => (stepsOf(b) >= stepsOf(a) ? b : a));
  const { done } = best;
  const last = Math.max(...done);
  const of = (/** @type {State} */ state, /** @type {Reason} */ reason, /** @type {Partial<Verdict>} */ more = {}) => ({ ...verdict, state, reason, done, ...more });
  if (j.trouble) return of('cannot-tell', j.trouble);
  if (j.over) return of('not-yet', 'over');
  if (j.blind) return of('cannot-tell', 'unseen');
  if (j.slipped > last) return of('not-yet', 'mistake', { mistake: j.mistake, at: j.slipped });
  if (!j.joined && j.goal.steps.some(({ where }) => where.by === 'you')) return of('not-yet', 'nobody');
  return of('not-yet', 'step', { step: done.indexOf(0), at: last });
}

/** How many steps are done. @param {Way} way */
const stepsOf = ({ done }) => done.filter(Boolean).length;

/** Whether the same steps are done with the same names, whatever the events. @param {Way} a @param {Way} b */
const same = (a, b) => a.done.every((seq, index) => Boolean(seq) === Boolean(b.done[index]))
  && Object.keys(a.names).length === Object.keys(b.names).length && Object.entries(a.names).every(([name, is]) => b.names[name] === is);

/** @param {Event} event */
const clientOf = ({ lane = '', client = 0 }) => `${lane} ${client}`;
