// What happened to a znode, and what became of a watch and of a frame, in words.

import { directionOf } from '../model/history/requests.js';
import { plural, span } from './format.js';
import { by, node, sentence } from './sentence.js';

/** @import { Catalogue } from './catalogue.js' */
/** @import { Event } from '../events.d.ts' */
/** @import { Journey } from '../model/history/frame.js' */
/** @import { PastWatch } from '../model/history/watches.js' */
/** @import { Happening } from '../model/history/znode.js' */

/** What happened at an instant. @typedef {{ at: number, words: string }} Told */

/**
 * One line, without a full stop.
 * @param {Happening} happening
 * @param {Catalogue} catalogue
 * @returns {string}
 */
export function happeningWords(happening, catalogue) {
  const { event } = happening;
  switch (happening.what) {
    case 'created': return `created${by(event)}`;
    case 'deleted': return `deleted${by(event)}`;
    case 'changed': return `its data changed${by(event)}`;
    case 'written': return `client ${event.client} has written its data${event.zxid ? `, transaction ${event.zxid}` : ''}`;
    case 'child': return sentence(event, catalogue);
    case 'unseen': return 'the observer lost its connection: some changes may not be told';
    case 'watched': return `client ${happening.watch.client} watches ${happening.watch.on === 'children' ? 'its children' : 'it'} (${event.op})`;
    case 'fired': return `the watch of client ${happening.watch.client} fires: ${event.type}`;
    case 'unwatched': return `the watch of client ${happening.watch.client} is gone: ${endOf(event)}`;
  }
}

/** Why the server has no watches of a client any more. @param {Event} event */
function endOf({ kind }) {
  if (kind === 'session.closed') return 'it closed its session';
  return kind === 'session.resumed' ? 'it has a new connection' : kind === 'fault.injected' ? 'its process crashed' : 'its session ended';
}

/** What a watch is on. @param {{ path: string, on: 'data' | 'children' }} watch @param {(path: string) => string} nameOf */
export const watchTarget = ({ path, on }, nameOf) => (on === 'children' ? `the children of ${nameOf(path)}` : nameOf(path));

/** How a watch stands, in a word or two. @param {PastWatch} watch */
export function watchState({ fired, told, gone }) {
  if (gone) return `gone: ${endOf(gone)}`;
  if (!fired) return 'armed';
  return told ? 'fired, and is used up' : 'fired; its notification is under way';
}

/** What became of a watch, in order. @param {PastWatch} watch @returns {Told[]} */
export function watchSteps({ client, request, set, known, change, fired, told, gone }) {
  /** @type {[Event | undefined, string][]} */
  const steps = [
    [request, `client ${client} asks for it, by ${request?.op}`],
    [set === request ? undefined : set, 'ZooKeeper has set it, and answers'],
    [known, 'the client learns that it is set'],
    [change, change ? `the tree changes: ${node(change.path)} was ${change.kind === 'tree.created' ? 'created' : change.kind === 'tree.deleted' ? 'deleted' : 'changed'}${by(change)}` : ''],
    [fired, `it fires: ${fired?.type}`],
    [told === fired ? undefined : told, 'the client is notified'],
    [gone, gone ? `it is gone: ${endOf(gone)}` : ''],
  ];
  return steps.flatMap(([event, words]) => (event ? [{ at: event.at, words }] : [])).sort((a, b) => a.at - b.at);
}

/** The way of a frame, in order. @param {Journey} journey @param {'in' | 'out'} dir @returns {Told[]} */
export function journeySteps({ left, arrived, dropped, heldSince, freedAt, ended }, dir) {
  const [from, to] = dir === 'out' ? ['the client sends it', 'it reaches ZooKeeper'] : ['ZooKeeper sends it', 'the client gets it'];
  /** @type {[number | undefined, string][]} */
  const steps = [
    [left, from], [heldSince, 'the link holds it'], [freedAt, freedAt === heldSince ? '' : 'the link lets it go'],
    [arrived, arrived === left ? `${to}, at once` : to], [dropped ? ended : undefined, 'it is lost with the connection'],
  ];
  return steps.flatMap(([at, words]) => (at !== undefined && words ? [{ at, words }] : []));
}

/** How a frame stands. @param {Journey} journey */
export function journeyState({ left, arrived, dropped, heldSince, freedAt }) {
  if (dropped) return 'lost with its connection';
  if (arrived !== undefined) return `arrived${arrived > left ? ` after ${span(arrived - left)}` : ''}`;
  return heldSince !== undefined && freedAt === undefined ? 'held in the link' : 'under way';
}

/**
 * What a frame says, field by field, as the log has it decoded.
 * @param {Event} event
 * @param {(path: string) => string} nameOf
 * @returns {[string, string][]}
 */
export function frameFields(event, nameOf) {
  const { op, path, flags, watch, type, xid, zxid, err, children, session, timeout, ops, stat } = event;
  const answers = directionOf(event) === 'in' && op !== 'notification';
  /** @type {[string, string | number | undefined | false][]} */
  const all = [
    ['Operation', op], ['Result', answers && (err || 'ok')], ['Type', type], ['Path', path && nameOf(path)],
    ['Flags', flags?.replaceAll('+', ', ')], ['Watch', watch && (answers ? 'set' : 'asked for')],
    ['Children', answers && op === 'getChildren' && !err && String(children ?? 0)],
    ['Parts', ops && ops.map((each) => [each.op, each.path && nameOf(each.path), each.err].filter(Boolean).join(' ')).join('; ')],
    ['Stat', stat && `version ${stat.version ?? 0}, ${plural(stat.dataLength ?? 0, 'byte')} of data, ${plural(stat.numChildren ?? 0, 'child', 'children')}`],
    ['xid', xid], ['zxid', zxid], ['Session', session], ['Timeout', timeout && span(timeout * 1000)],
  ];
  return all.flatMap(([name, value]) => (value ? [[name, String(value)]] : []));
}

/** How many are left out of a list. @param {number} count */
export const leftOut = (count) => `${plural(count, 'earlier line')} left out`;
