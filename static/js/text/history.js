// What happened to a znode, and what became of a watch and of a frame, in words.

import { directionOf } from '../model/history/requests.js';
import { span } from './format.js';
import { t } from './language.js';
import { by, node } from './naming.js';
import { sentence } from './sentence.js';

/** @import { Catalogue } from './catalogue.js' */
/** @import { Event } from '../events.d.ts' */
/** @import { Journey } from '../model/history/frame.js' */
/** @import { PastWatch } from '../model/history/watches.js' */
/** @import { WatchedPart } from '../model/watches.js' */
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
    case 'created': return t`created${by(event)}`;
    case 'deleted': return t`deleted${by(event)}`;
    case 'changed': return t`its data changed${by(event)}`;
    case 'written': return event.zxid ? t`client ${event.client} has written its data, transaction ${event.zxid}` : t`client ${event.client} has written its data`;
    case 'child': return sentence(event, catalogue);
    case 'unseen': return t`the observer lost its connection: some changes may not be told`;
    case 'watched': return happening.watch.on === 'children'
      ? t`client ${happening.watch.client} watches its children (${event.op})` : t`client ${happening.watch.client} watches it (${event.op})`;
    case 'fired': return t`the watch of client ${happening.watch.client} fires: ${event.type}`;
    case 'unwatched': return t`the watch of client ${happening.watch.client} is gone: ${endOf(event)}`;
  }
}

/** Why the server has no watches of a client any more. @param {Event} event */
function endOf({ kind }) {
  if (kind === 'session.closed') return t`it closed its session`;
  return kind === 'session.resumed' ? t`it has a new connection` : kind === 'fault.injected' ? t`its process crashed` : t`its session ended`;
}

/** What a watch is on. @param {{ path: string, on: WatchedPart }} watch @param {(path: string) => string} nameOf */
export function watchTarget({ path, on }, nameOf) {
  if (on === 'recursive') return t`${nameOf(path)} and all below it`;
  return on === 'children' ? t`the children of ${nameOf(path)}` : nameOf(path);
}

/** How a watch stands, in a word or two. @param {PastWatch} watch */
export function watchState({ fired, told, gone }) {
  if (gone) return t`gone: ${endOf(gone)}`;
  if (!fired) return t`armed`;
  return told ? t`fired, and is used up` : t`fired; its notification is under way`;
}

/** What became of a watch, in order. @param {PastWatch} watch @returns {Told[]} */
export function watchSteps({ client, request, set, known, change, fired, told, gone }) {
  /** @type {[Event | undefined, string][]} */
  const steps = [
    [request, t`client ${client} asks for it, by ${request?.op}`],
    [set === request ? undefined : set, t`ZooKeeper has set it, and answers`],
    [known, t`the client learns that it is set`],
    [change, change ? changeWords(change) : ''],
    [fired, t`it fires: ${fired?.type}`],
    [told === fired ? undefined : told, t`the client is notified`],
    [gone, gone ? t`it is gone: ${endOf(gone)}` : ''],
  ];
  return steps.flatMap(([event, words]) => (event ? [{ at: event.at, words }] : [])).sort((a, b) => a.at - b.at);
}

/** @param {Event} change of the tree */
function changeWords({ kind, ...change }) {
  const [what, who] = [node(change.path), by({ kind, ...change })];
  if (kind === 'tree.created') return t`the tree changes: ${what} was created${who}`;
  return kind === 'tree.deleted' ? t`the tree changes: ${what} was deleted${who}` : t`the tree changes: ${what} was changed${who}`;
}

/** The way of a frame, in order. @param {Journey} journey @param {'in' | 'out'} dir @returns {Told[]} */
export function journeySteps({ left, arrived, dropped, heldSince, freedAt, ended }, dir) {
  const [from, to] = dir === 'out' ? [t`the client sends it`, t`it reaches ZooKeeper`] : [t`ZooKeeper sends it`, t`the client gets it`];
  /** @type {[number | undefined, string][]} */
  const steps = [
    [left, from], [heldSince, t`the link holds it`], [freedAt, freedAt === heldSince ? '' : t`the link lets it go`],
    [arrived, arrived === left ? t`${to}, at once` : to], [dropped ? ended : undefined, t`it is lost with the connection`],
  ];
  return steps.flatMap(([at, words]) => (at !== undefined && words ? [{ at, words }] : []));
}

/** How a frame stands. @param {Journey} journey */
export function journeyState({ left, arrived, dropped, heldSince, freedAt }) {
  if (dropped) return t`lost with its connection`;
  if (arrived !== undefined) return arrived > left ? t`arrived after ${span(arrived - left)}` : t`arrived`;
  return heldSince !== undefined && freedAt === undefined ? t`held in the link` : t`under way`;
}

/** @param {number} count */
export const bytes = (count) => t`${count} byte|${count} bytes`;

/** @param {number} count */
const childrenOf = (count) => t`${count} child|${count} children`;

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
    [t`Operation`, op], [t`Result`, answers && (err || 'ok')], [t`Type`, type], [t`Path`, path && nameOf(path)],
    [t`Flags`, flags?.replaceAll('+', ', ')], [t`Watch`, watch && (answers ? t`set` : t`asked for`)],
    [t`Children`, answers && op === 'getChildren' && !err && String(children ?? 0)],
    [t`Parts`, ops && ops.map((each) => [each.op, each.path && nameOf(each.path), each.err].filter(Boolean).join(' ')).join('; ')],
    [t`Stat`, stat && t`version ${stat.version ?? 0}, ${bytes(stat.dataLength ?? 0)} of data, ${childrenOf(stat.numChildren ?? 0)}`],
    ['xid', xid], ['zxid', zxid], [t`Session`, session], [t`Timeout`, timeout && span(timeout * 1000)],
  ];
  return all.flatMap(([name, value]) => (value ? [[name, String(value)]] : []));
}

/** How many are left out of a list. @param {number} count */
export const leftOut = (count) => t`${count} earlier line left out|${count} earlier lines left out`;
