// What happened in a run that is worth a sentence: the caption over the lanes tells the
// last of it, the panel of words lists it, and a screen reader hears it.

import { ALWAYS_SAID, costOf, DECISIVE, kinds, losses, ofEvent, ofSession, SHOWN, tells } from './caption-facts.js';
import { reasonOf } from './reason.js';
import { turns } from './turns.js';

/** @import { Event, Kind, Participant, Reason, Verdict } from '../events.d.ts' */
/** @import { Before, Role } from './caption-facts.js' */
/** @import { Round } from './rounds.js' */
/** @import { Lane } from './view.js' */

/** Some clients: how many, and the first of them. @typedef {{ count: number, first: number[] }} Some */

/**
 * How it was in one lane; each kind of caption has what is worth telling of it.
 * @typedef {object} InLane
 * @property {string} lane
 * @property {Reason} [reason]
 * @property {string} [path] of the znode
 * @property {Role} [role] of the client until then
 * @property {string[]} [locks] those of several that it is about
 * @property {number} [czxid] of the transaction that made the client's znodes in them
 * @property {boolean} [decisive] it tells what is to be learned of the run
 * @property {boolean} [again] the client has a place in the queue anew, as its former znode was deleted while it waited
 * @property {boolean} [unheard] the client watches nothing that would tell it of this
 * @property {string} [mode] that the client holds the lock in: "read", "write" or empty
 * @property {Some} [fellows] who holds the lock to read too, or has a permit too
 * @property {Some} [rivals] who believes too that it holds the lock
 * @property {Some} [waiting]
 * @property {boolean} [first] the first acquisition of the lane, the first after a session was lost in it, or the first
 *   by which clients share the lock
 * @property {number} [round] what freed the lock before this, or by this: the number of the change
 * @property {Round['cause']} [cause] of that
 * @property {number} [freedBy] the client that released then, or whose znode went
 * @property {number} [woken] by that
 * @property {number} [wasted] of those
 * @property {'server' | 'client' | 'answer'} [by] who said that a session is over: the server by deleting a znode,
 *   the client by itself, or the client when the server told it
 * @property {'itself' | 'nothing'} [waitsFor] what nobody else will delete, or what is gone already
 * @property {{ client: number, participant: Participant }} [turn] whose znode is first since then, of whom nobody tells that it holds
 * @property {number} [stalled] for how long the machine had stood still just before, in milliseconds
 * @property {boolean} [gaveUp] the client gave up the lock with its session
 * @property {{ client: number, for: number }[]} [believers] who believe that they hold, and for how long, in microseconds
 * @property {number} [frame] that was lost, towards the client
 * @property {string} [op] of that frame
 */

/**
 * @typedef {object} Caption
 * @property {number} seq of the event: it names the caption
 * @property {number} at in microseconds of the run
 * @property {Kind} kind of the event, of several alike the first
 * @property {number} client 0 for none
 * @property {number} importance SHOWN to DECISIVE
 * @property {string} name of the fault or the check, or what has joined, or empty
 * @property {Verdict | ''} verdict
 * @property {number} for how long a fault lasts, in milliseconds, or 0
 * @property {Reason} [reason] of the first lane, or of the whole run
 * @property {boolean} held a network that is held, to be let go by hand
 * @property {InLane[]} lanes where it happened; empty for the whole run
 */

/**
 * @typedef {object} Captions
 * @property {Caption[]} newest oldest first
 * @property {Caption | undefined} shown what is shown, and since when
 * @property {number} since
 * @property {Caption | undefined} next what is to be shown after that
 * @property {Set<string>} over the newest sessions that were lost, each to be told once
 * @property {Set<string>} handed the lanes in which the lock was acquired, and no session lost since
 * @property {Set<string>} shared the lanes in which clients have shared the lock
 * @property {Set<string>} herds the lanes in which a release caused more than one wasted wake-up
 * @property {{ at: number, for: number } | undefined} stall the newest time for which the machine stood still, in milliseconds
 * @property {Set<string>} turns the znodes of guests by which they have the lock
 * @property {Set<string>} joint the lanes in which a client has queued up for several locks in one transaction
 */

/** Only the newest captions are kept. */
const MOST = 50;

/** What happens in one lane and so soon after in another is told once, in microseconds of the run. */
export const TOGETHER = 500_000;

/** So many wasted wake-ups make a herd. */
const HERD = 2;

/** How long a caption stays before a less important one, in microseconds of the run; who holds is soon no longer true. @param {Caption} caption */
const stay = ({ importance, kind }) => (importance >= ALWAYS_SAID && kind !== 'lock.acquired' ? 3_000_000 : 1_200_000);

/** @returns {Captions} */
export const createCaptions = () => ({ newest: [], shown: undefined, since: 0, next: undefined, over: new Set(), handed: new Set(), shared: new Set(), herds: new Set(), joint: new Set(), turns: new Set(), stall: undefined });

/**
 * The caption of an instant: the last that matters, for a while. Where the view stands
 * still it is the very last, so that picture and words tell of one instant, unless what
 * decides was said just before.
 * @param {Captions} captions
 * @param {{ at: number, still: boolean }} instant at: in microseconds of the run
 */
export function captionAt({ newest, shown, since, next }, { at, still }) {
  if (still && !(shown?.importance === DECISIVE && at - since < TOGETHER)) return newest.at(-1);
  return shown && next && at >= since + stay(shown) ? next : shown;
}

/**
 * Follows an event of a lane, after the lane itself.
 * @param {Captions} captions
 * @param {Event} event
 * @param {Lane} lane
 * @param {Before | undefined} before
 * @param {boolean} counting the clients have not been told to stop
 */
export function stepCaptions(captions, event, lane, before, counting) {
  if (event.kind === 'cost.changed') count(captions, lane, event.at);
  if (!tells.has(event.kind)) return;
  if (event.kind === 'tree.deleted') turn(captions, lane, event);
  if (event.kind === 'session.resumed') captions.over.delete(event.session ?? '');
  const facts = losses.includes(event.kind) ? ofSession(captions, event, lane, before) : ofEvent(captions, event, lane, before, counting);
  if (facts) {
    tell(captions, captionOf(event, facts.gaveUp || facts.by ? 'session.lost' : event.kind, [{ lane: lane.info.name, reason: reasonOf(event), ...facts }]));
    count(captions, lane, event.at);
  }
  if (event.kind === 'tree.created' || event.kind === 'tree.deleted') tellTurns(captions, event, lane);
}

/** Tells of guests whose turn it has become. @param {Captions} captions @param {Event} event @param {Lane} lane */
function tellTurns(captions, event, lane) {
  captions.turns.delete(event.path ?? '');
  for (const { path, client, mode } of turns(lane)) {
    if (captions.turns.has(path)) continue;
    captions.turns.add(path);
    tell(captions, { ...captionOf({ ...event, client }, event.kind, [{ lane: lane.info.name, path, mode }]), importance: ALWAYS_SAID });
  }
}

/** Follows an event of the whole run. @param {Captions} captions @param {Event} event */
export function stepRunCaptions(captions, event) {
  if (event.kind === 'note.stalled') captions.stall = { at: event.at, for: event.for ?? 0 };
  if (event.kind in kinds) tell(captions, captionOf(event, event.kind, []));
}

/** @param {Event} event @param {Kind} kind @param {InLane[]} lanes @returns {Caption} */
const captionOf = ({ seq, at, client = 0, fault, check, participant, verdict, for: length = 0, reason, why, held = false }, kind, lanes) => ({
  seq, at, kind, client, importance: lanes.some(({ decisive }) => decisive) ? DECISIVE : lanes.some(({ first, again }) => first || again) ? ALWAYS_SAID : kinds[kind] ?? SHOWN,
  name: fault ?? check ?? participant ?? '', verdict: verdict ?? '', for: length, reason: reasonOf({ reason, why }), held, lanes,
});

/** Counts on whom the last release woke, in what was told since. The first herd of a lane decides. @param {Captions} captions @param {Lane} lane @param {number} now */
function count(captions, lane, now) {
  const round = lane.info.locks ? undefined : lane.rounds.list.at(-1);
  const { newest, herds } = captions;
  const { name } = lane.info;
  for (let index = newest.length - 1; round && index >= 0; index--) {
    const caption = /** @type {Caption} */ (newest[index]);
    const place = caption.lanes.find((each) => each.lane === name);
    const released = place && caption.kind === 'lock.released' && caption.client === round.client;
    if (released && !place.round) place.round = round.change;
    if (place?.round === round.change) Object.assign(place, costOf(lane));
    if (released || (place?.round ?? round.change) < round.change) break;
    if (place?.round !== round.change || caption.kind !== 'lock.acquired' || round.wasted < HERD || herds.has(name)) continue;
    herds.add(name);
    caption.importance = DECISIVE;
    show(captions, caption, now);
  }
}

/**
 * A release is told with whose turn it is then, where that is a guest: it tells nothing itself.
 * @param {Captions} captions @param {Lane} lane @param {Event} event
 */
function turn({ newest }, lane, { client = 0 }) {
  const [node] = lane.queue.nodes;
  const next = lane.clients.get(node?.client ?? 0);
  const place = next?.participant && newest.findLast((each) => each.kind === 'lock.released' && each.client === client)?.lanes.find((each) => each.lane === lane.info.name);
  if (place && next.participant) place.turn ??= { client: next.number, participant: next.participant };
}

/** Adds a caption, or adds its lane to what has just been told of another. @param {Captions} captions @param {Caption} caption */
function tell(captions, caption) {
  const [place] = caption.lanes;
  const part = place?.czxid && captions.newest.findLast((each) => each.kind === caption.kind && each.client === caption.client)
    ?.lanes.find(({ lane, czxid }) => lane === place.lane && czxid === place.czxid);
  if (part) return void Object.assign(part, place);
  const same = captions.newest.findLast((each) => isSame(each, caption));
  if (same) {
    same.lanes.push(...caption.lanes);
    same.importance = Math.max(same.importance, caption.importance);
    return;
  }
  captions.newest.push(caption);
  if (captions.newest.length > MOST) captions.newest.shift();
  show(captions, caption, caption.at);
}

/** @param {Caption} told @param {Caption} caption */
const isSame = (told, caption) => caption.at - told.at < TOGETHER && told.kind === caption.kind && told.client === caption.client
  && told.name === caption.name && String(told.lanes[0]?.locks) === String(caption.lanes[0]?.locks) && told.verdict === caption.verdict && told.for === caption.for
  && caption.lanes.length > 0 && told.lanes.length > 0 && !told.lanes.some(({ lane }) => lane === caption.lanes[0]?.lane);

/**
 * What the caption of an event says of a client is over with these events of the same
 * client in the same lane: then the later one takes its place at once. What decides stays
 * for its time: it is said of its instant, and the picture may have paused there.
 * @type {Partial<Record<Kind, Kind[]>>}
 */
const overWith = {
  'lock.acquired': ['lock.lost', 'session.lost'],
  'lock.lost': ['lock.acquired', 'lock.enqueued'],
  'lock.gave-up': ['lock.acquired', 'lock.enqueued'],
  'lock.asked': ['lock.released', 'lock.lost'],
  'session.lost': ['lock.acquired'],
};

/** @param {Caption} shown @param {Caption} caption */
const outlived = (shown, caption) => shown.importance < DECISIVE && shown.client === caption.client && (overWith[shown.kind]?.includes(caption.kind) ?? false)
  && shown.lanes.every(({ lane }) => caption.lanes.some((place) => place.lane === lane));

/** Who holds is no news any more once another one does, unless that decides. @param {Caption} next @param {Caption} caption */
const outdated = ({ kind, importance }, caption) => kind === 'lock.acquired' && caption.kind === kind && importance < DECISIVE;

/** @param {Captions} captions @param {Caption} caption @param {number} now */
function show(captions, caption, now) {
  const { shown, next } = captions;
  if (caption === shown) return;
  if (shown && next && now >= captions.since + stay(shown)) {
    captions.since += stay(shown);
    captions.shown = next;
    captions.next = undefined;
  }
  const least = Math.max(ALWAYS_SAID, captions.shown ? captions.shown.importance : 0);
  if (!captions.shown || outlived(captions.shown, caption) || caption.importance >= least || now >= captions.since + stay(captions.shown)) {
    Object.assign(captions, { shown: caption, since: now, next: undefined });
  } else if (!captions.next || caption.importance >= captions.next.importance || outdated(captions.next, caption)) captions.next = caption;
}
