// What happened, in sentences for everybody, with links to what they tell of. The first
// sentence says what, the others how and why.

import { simulated } from '../model/guests.js';
import { baseName } from '../model/queue.js';
import { plural, span, titleOf } from './format.js';
import { resultSentences } from './result.js';
import { node, readable, sentence } from './sentence.js';

/** @import { Catalogue } from './catalogue.js' */
/** @import { Caption, InLane, Some } from '../model/captions.js' */
/** @import { Event, Kind } from '../events.d.ts' */
/** @import { Lane } from '../model/view.js' */

/** A part of a sentence that names something of the run; label is its name where its words alone are none. @typedef {{ words: string, label?: string, lane: string, client: number, path: string, frame?: number }} Link */
/** @typedef {string | Link} Part */
/** @typedef {{ head: Part[], rest: Part[] }} Told */
/** A sentence without its full stop. @typedef {Part[]} Sentence */
/** What a caption is told by. @typedef {{ caption: Caption, lanes: Lane[], catalogue: Catalogue, who: Link, where: string }} Telling */

/** @type {Partial<Record<Kind, (telling: Telling) => { head: Sentence, rest?: Sentence[] | ((place: InLane) => Sentence[]) }>>} */
const tellings = {
  'note.started': ({ caption, lanes }) => ({ head: [caption.why ? `the run begins: ${caption.why}` : 'the run begins'], rest: [[contenders(lanes)]] }),
  'note.joined': ({ caption: { name }, who, where }) => ({ head: [`a ${name || 'guest'} joins as `, who, where], rest: [['what it believes nobody is told; the queue shows where its znodes are']] }),
  'note.left': ({ caption: { client }, where }) => ({ head: [`client ${client} has left`, where], rest: whyOf }), // it is not there to be shown
  'lock.enqueued': (telling) => queuedUp(telling),
  'lock.waiting': ({ caption: { lanes: [place] }, who, where }) => ({
    head: [who, ' waits for ', nodeLink(place), place?.waitsFor === 'itself' ? ', which is its own' : ', which is gone already', where],
    rest: [[place?.waitsFor === 'itself' ? 'nobody else will delete that' : 'no notification will come']],
  }),
  'lock.acquired': ({ who, where, caption, lanes }) => ({
    head: [who, permits(caption, lanes) ? ' has a permit' : ` holds ${lock(caption)}`, mode(caption.lanes[0]), where],
    rest: (place) => [clients(place, place.fellows, permits(caption, lanes) ? ['has one too', 'have one too'] : ['reads too', 'read too']), clients(place, place.rivals, ['believes that it holds too', 'believe that they hold too']),
      clients(place, place.waiting, (place.locks ?? []).length > 1 ? ['waits, and holds none', 'wait, and hold none'] : ['waits', 'wait']), cost(place)],
  }),
  'lock.released': ({ who, where, caption, lanes }) => ({ head: [who, permits(caption, lanes) ? ' gives its permit back' : ` releases ${lock(caption)}`, where], rest: (place) => [place.woken ? [`${count(place.woken)} woken`] : []] }),
  'lock.asked': ({ who, where }) => ({ head: [who, ' is asked to give up the lock', where], rest: [['somebody has written into its znode']] }),
  'lock.gave-up': ({ who, where }) => ({ head: [who, ' gives up', where], rest: whyOf }),
  'lock.lost': ({ who, where, caption }) => ({ head: [who, ` knows that it no longer holds ${lock(caption)}`, where], rest: whyOf }),
  'session.lost': ({ who, where }) => ({ head: [who, ' has lost its session', where], rest: (place) => [lossOf(place), consequence(place, who)] }),
  'fault.injected': ({ caption, who, where, catalogue }) => ({
    head: ['a fault is injected into ', caption.client ? who : 'ZooKeeper', role(caption), where, `: ${catalogue.fault(caption.name).title}`, lasting(caption)],
    rest: caption.lanes.length ? (place) => [...whyOf(place), place.unheard ? [clientLink(place.lane, who.client), ' does not hear of it, and waits on'] : []] : [reason(caption.why)],
  }),
  'fault.healed': ({ caption, who, where, catalogue }) => ({
    head: [`the fault “${catalogue.fault(caption.name).title}” of `, caption.client ? who : 'ZooKeeper', ' is over', where], rest: caption.lanes.length ? [] : [reason(caption.why)],
  }),
  'wire.dropped': ({ caption: { lanes: [place] }, who, where }) => ({
    head: [{ words: `the reply to a ${place?.op ?? 'request'}`, lane: place?.lane ?? '', client: who.client, path: '', frame: place?.frame ?? 0 }, ' of ', who, ' is lost', where],
    rest: [['the server has carried the request out, and the client does not know']],
  }),
  'resource.refused': ({ who, where }) => ({ head: ['a write of ', who, ' is refused', where], rest: whyOf }),
  'check.changed': (telling) => verdict(telling),
  'note.finished': ({ caption, lanes, catalogue }) => ({ head: [ending(caption)], rest: [...ends(lanes, catalogue), ...resultSentences(lanes, caption.at).map((words) => [words])] }),
};

/**
 * @param {Caption} caption
 * @param {Lane[]} lanes of the run as it is now
 * @param {Catalogue} catalogue
 * @returns {Told}
 */
export function captionWords(caption, lanes, catalogue) {
  const who = clientLink(caption.lanes[0]?.lane ?? '', caption.client);
  const telling = tellings[caption.kind]?.({ caption, lanes, catalogue, who, where: where(caption, lanes) })
    ?? { head: [sentence(/** @type {Event} */ (/** @type {unknown} */ (caption)), catalogue)] };
  const { rest = [] } = telling;
  const others = typeof rest === 'function' ? inEach(caption.lanes, lanes, rest) : rest;
  return { head: closed(telling.head), rest: joined(others) };
}

/** Many of one kind, in a sentence. @type {Partial<Record<Kind, (clients: string, what: string) => string>>} */
const sums = {
  'fault.injected': (clients, what) => `Fault injected into ${clients}: ${what}.`,
  'session.lost': (clients) => `Sessions of ${clients} are lost.`,
  'lock.lost': (clients) => `Lock lost by ${clients}.`,
};

/**
 * More captions than there is time for: what is alike is told together, and of those who
 * held, the last.
 * @param {Caption[]} captions
 * @param {Lane[]} lanes
 * @param {Catalogue} catalogue
 * @returns {string}
 */
export function summed(captions, lanes, catalogue) {
  /** @type {Map<string, Caption[]>} */ const groups = new Map();
  for (const caption of captions) {
    const key = `${caption.kind} ${caption.name}`;
    groups.set(key, [...groups.get(key) ?? [], caption]);
  }
  return [...groups.values()].map((group) => {
    const [{ kind, name }, ...others] = /** @type {[Caption, ...Caption[]]} */ (group);
    const clients = [...new Set(group.map(({ client }) => client))].sort((a, b) => a - b);
    const sum = others.length && clients[0] ? sums[kind] : undefined;
    if (sum) return sum(`${clients.length === 1 ? 'client' : 'clients'} ${clients.join(', ')}`, catalogue.fault(name).title);
    return (kind === 'lock.acquired' ? group.slice(-1) : group).map((caption) => textOf(captionWords(caption, lanes, catalogue).head)).join(' ');
  }).join(' ');
}

/** The words alone. @param {Part[]} parts */
export const textOf = (parts) => parts.map((part) => (typeof part === 'string' ? part : part.words)).join('');

/** What a reason of the server says, without the numbers and paths that only the log needs. @param {string} why */
export const plainReason = (why) => readable(why).replace(/^(zklock: session lost|stale): |^zklock: /, '').replace(/ \((since )?event \d+\)|,? (at|see) event \d+/g, '');

/** @param {string} why @returns {Sentence} */
const reason = (why) => (why ? [plainReason(why)] : []);

/** The same with links to the clients and znodes. @param {InLane} place @returns {Sentence[]} */
function whyOf({ lane, why }) {
  const parts = why.split(/(client \d+|(?:znode )?\/playground\/[^\s,]+)/).map((part, index) => {
    if (index % 2 === 0) return part;
    return part.startsWith('client') ? clientLink(lane, Number(part.slice(7))) : { words: plainReason(part), lane, client: 0, path: part.replace('znode ', '') };
  });
  return [parts.map((part) => (typeof part === 'string' ? plainReason(part) : part)).filter((part) => part !== '')];
}

/** @param {string} lane @param {number} client @returns {Link} */
const clientLink = (lane, client) => ({ words: `client ${client}`, lane, client, path: '' });

/** @param {InLane | undefined} place @returns {Link} */
const nodeLink = (place) => ({ words: node(place?.path), lane: place?.lane ?? '', client: 0, path: place?.path ?? '' });

/** In which of the lanes, when there is more than one. @param {Caption} caption @param {Lane[]} lanes */
function where({ lanes: places }, lanes) {
  if (lanes.length < 2 || !places.length) return '';
  if (places.length === lanes.length) return lanes.length === 2 ? ' in both lanes' : ' in every lane';
  return ` in lane ${places.map(({ lane }) => nameOf(lane, lanes)).join(' and ')}`;
}

/** @param {string} name @param {Lane[]} lanes */
const nameOf = (name, lanes) => {
  const found = lanes.find(({ info }) => info.name === name);
  return found ? titleOf(found.info).name : name;
};

/** How it was in each lane, sentence by sentence: once where it was the same. @template {{ lane: string }} At @param {At[]} places @param {Lane[]} lanes @param {(place: At) => Sentence[]} tell as many in each lane @returns {Sentence[]} */
function inEach(places, lanes, tell) {
  const told = lanes.flatMap(({ info }) => places.filter(({ lane }) => lane === info.name)).map((place) => ({ name: nameOf(place.lane, lanes), sentences: tell(place) }));
  return (told[0]?.sentences ?? []).flatMap((first, index) => {
    const same = told.every(({ sentences }) => textOf(sentences[index] ?? []) === textOf(first));
    return same ? [first] : told.flatMap(({ name, sentences }) => (sentences[index]?.length ? [[`${name}: `, ...sentences[index]]] : []));
  });
}

/** @param {Sentence} parts @returns {Part[]} */
function closed(parts) {
  const [first = '', ...others] = parts.filter((part) => part !== '');
  const upper = (/** @type {string} */ words) => words.charAt(0).toUpperCase() + words.slice(1);
  return [typeof first === 'string' ? upper(first) : { ...first, words: upper(first.words) }, ...others, '.'];
}

/** @param {Sentence[]} sentences */
const joined = (sentences) => sentences.filter(({ length }) => length).flatMap((each, index) => [...(index ? [' '] : []), ...closed(each)]);

/** Why a run is over, if nobody asked for that. @param {Caption} caption */
const ending = ({ why }) => (why && why !== 'the run has finished' ? plainReason(why) : 'the run is over');

/** @param {Lane[]} lanes */
function contenders(lanes) {
  const most = Math.max(0, ...lanes.map((lane) => simulated(lane).length));
  const [{ info: { locks = [] } } = { info: {} }] = lanes;
  if (lanes.length < 2) return `${most} clients contend for ${locks.length ? `the locks ${locks.map(baseName).join(' and ')}` : 'one lock'}`;
  return `${most} clients contend in each of ${lanes.length} lanes: ${lanes.map(({ info }) => titleOf(info).name).join(' and ')}`;
}

/** How many permits the lane has in which it happened, if it has any. @param {Caption} caption @param {Lane[]} lanes */
const permits = (caption, lanes) => laneOf(caption, lanes)?.info.permits;

/** @param {Caption} caption @param {Lane[]} lanes */
const laneOf = (caption, lanes) => lanes.find(({ info }) => info.name === caption.lanes[0]?.lane);

/** What the lock is called, or the locks, where there are several. @param {Caption} caption */
const lock = ({ lanes: [place] }) => place?.locks?.join(' and ') || 'the lock';

/** @param {Telling} telling @returns {{ head: Sentence, rest?: Sentence[] | ((place: InLane) => Sentence[]) }} */
function queuedUp({ caption, who, where }) {
  const [place] = caption.lanes;
  if (place?.again) return { head: [who, ' finds that its znode is gone, and queues up again', where], rest: [['its new ', nodeLink(place), ' is at the end of the queue']] };
  if (!place?.locks) return { head: [who, ' is in the queue', where], rest: whyOf };
  return { head: [who, ` queues up for ${lock(caption)} in one transaction: ${place.locks.length > 2 ? 'all' : 'both'} or none`, where],
    rest: [['who is ahead in one queue is ahead in the other, so nobody waits in a circle']] };
}

/** @param {InLane | undefined} place */
const mode = (place) => (place?.mode ? ` to ${place.mode}` : '');

/** @param {InLane} place @param {Some | undefined} some @param {[string, string]} does of one, and of more @returns {Sentence} */
function clients({ lane }, some, [one, more]) {
  if (!some?.count) return [];
  if (some.count > some.first.length) return [`${some.count} clients ${more}`];
  const [first = 0, ...others] = some.first;
  if (!others.length) return [clientLink(lane, first), ` ${one}`];
  return ['clients ', ...some.first.flatMap((client, index) => [index === 0 ? '' : index === others.length ? ' and ' : ', ',
    { ...clientLink(lane, client), words: String(client), label: `client ${client}` }]), ` ${more}`];
}

/** @param {number} woken */
const count = (woken) => (woken === 1 ? '1 client is' : `${woken} clients are`);

/** Whom it woke that freed the lock. @param {InLane} place @returns {Sentence} */
function cost({ lane, cause, freedBy = 0, woken = 0, wasted = 0 }) {
  if (!cause || !freedBy || !woken) return [];
  const freed = { release: 'the release of ', end: 'the end of the session of ', removed: 'the deletion of the znode of ' }[cause];
  return [freed, clientLink(lane, freedBy), ` woke ${woken === 1 ? '1 client' : `${woken} clients`}`, wasted ? `, ${wasted} of them in vain` : ''];
}

/** @param {InLane} place @returns {Sentence} */
function lossOf(place) {
  if (place.by !== 'server') return place.by === 'client' ? whyOf(place)[0] ?? [] : ['the server tells it so'];
  return ['the server has ended it and deleted ', nodeLink(place)];
}

/** What a lost session means for who holds. @param {InLane} place @param {Link} who @returns {Sentence} */
function consequence({ lane, role: believes, gaveUp }, who) {
  if (gaveUp) return ['it gives up the lock'];
  return believes === 'holds' ? [clientLink(lane, who.client), ' still believes that it holds the lock'] : [];
}

/** What the client did, when that was the same in all lanes. @param {Caption} caption */
function role({ lanes }) {
  const [first] = lanes;
  if (!first?.role || lanes.some((place) => place.role !== first.role)) return '';
  return first.role === 'holds' ? `, which holds ${first.locks?.join(' and ') || 'the lock'}` : ', which waits';
}

/** @param {Caption} caption */
const lasting = ({ for: length }) => (length ? ` for ${span(length * 1000)}` : '');

/** What a check has found; who believes is told by how long. @param {Telling} telling */
function verdict({ caption, catalogue, where: lanes }) {
  const { title, violated } = catalogue.check(caption.name);
  if (caption.verdict !== 'violated') return { head: [`the check “${title}” is ${caption.verdict} from now on`, lanes], rest: whyOf };
  return {
    head: [violated || `the check “${title}” is violated`, lanes],
    rest: (/** @type {InLane} */ place) => (caption.name === 'belief' && place.believers?.length ? [believing(place)]
      : caption.name === 'fenced-account' ? whyOf({ ...place, why: place.why.split(';')[0] ?? '' }) // what is lost goes on changing
      : [[isCircle(place) ? 'a deadlock: ' : '', ...whyOf(place).flat()]]),
  };
}

/** Whether clients wait for each other. @param {{ why: string }} found */
export const isCircle = ({ why }) => why.includes('in a circle');

/** @param {InLane} place @returns {Sentence} */
const believing = ({ lane, believers = [] }) => believers.flatMap(({ client, for: length }, index) =>
  [index ? ', ' : '', clientLink(lane, client), length < 1000 ? ' since just now' : ` has believed it for ${span(length)}`]);

/** What the checks have found in the end. @param {Lane[]} lanes @param {Catalogue} catalogue */
const ends = (lanes, catalogue) => inEach(lanes.map((lane) => ({ lane: lane.info.name, of: lane })), lanes, ({ of }) => {
  const found = catalogue.ordered(of.checks);
  const those = (/** @type {string} */ wanted) => found.filter(({ verdict }) => verdict === wanted);
  const [wrong, open, right] = [those('violated'), those('undecided'), those('holds')];
  const words = [
    wrong.length ? `${plural(wrong.length, 'check')} ${areIs(wrong.length)} violated (${wrong.map(({ title, violated }) => lower(violated || title)).join('; ')})` : '',
    open.length ? `${plural(open.length, 'check')} ${areIs(open.length)} undecided (${open.map(({ title }) => title).join('; ')})` : '',
    wrong.length || open.length ? `${right.length} hold${right.length === 1 ? 's' : ''}` : `all ${right.length} checks hold`,
  ].filter(Boolean);
  return [[words.join(', ')]];
});

/** @param {number} number */
const areIs = (number) => (number === 1 ? 'is' : 'are');

/** @param {string} words */
const lower = (words) => words.charAt(0).toLowerCase() + words.slice(1);
