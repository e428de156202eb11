// The fields of a znode's stat, as far as the log tells them, and how it does.

import { instant } from '../../text/format.js';
import { t } from '../../text/language.js';

/** @import { Stat } from '../../events.d.ts' */
/** @import { ZnodeState } from '../../model/history/znode.js' */

const byTheRun = t`by the run's clock`;

/** @typedef {{ name: string, meaning: string, value: string, how: string }} StatField an empty value is not told */

/**
 * What a client was told of the stat stands until the znode changes; the rest follows
 * from the events.
 * @param {ZnodeState} state
 * @param {boolean} directory it is the lock directory, which the playground makes before the log begins
 * @returns {StatField[]}
 */
export function statFields(state, directory) {
  const { told, changed } = state;
  const stands = told && !(changed && changed.seq > told.seq) ? told.stat : undefined;
  const how = t`told to client ${told?.client}`;
  return derivedFields(state, directory).map(({ name, meaning, value, how: derived }) => {
    const stat = constant.has(name) ? told?.stat : stands;
    if (!stat || (ofChildren.has(name) && state.came + state.went)) return { name, meaning, value, how: value ? derived : '' };
    if (name === 'ctime' || name === 'mtime') return { name, meaning, value: value || time(stat[name]), how: t`${time(stat[name])} at the server` };
    const own = stat[/** @type {Exclude<keyof Stat, 'ctime' | 'mtime'>} */ (name)];
    return { name, meaning, value: name === 'ephemeralOwner' ? String(own || t`none`) : String(own ?? 0), how: own || name !== 'ephemeralOwner' ? how : persistent };
  });
}

/** What never changes, and what changes with the children. */
const constant = new Set(['czxid', 'ctime', 'ephemeralOwner']);
const ofChildren = new Set(['pzxid', 'cversion', 'numChildren']);

/** The time of day, here. @param {number} [milliseconds] since 1970 */
const time = (milliseconds = 0) => {
  const date = new Date(milliseconds);
  return `${date.toLocaleTimeString('en-GB')}.${String(date.getMilliseconds()).padStart(3, '0')}`;
};

const persistent = t`it is persistent`;

/** @param {ZnodeState} state @param {boolean} directory @returns {StatField[]} */
function derivedFields(state, directory) {
  const { created, changed, changes, came, went, unseen } = state;
  const known = created !== undefined || directory;
  const counted = directory && !created ? t`counted, from the beginning` : t`counted`;
  const atLeast = (/** @type {number} */ count) => (unseen ? t`at least ${count}` : String(count));
  const czxid = czxidOf(state);
  return [
    field('czxid', t`the transaction that created it`, czxid.value, czxid.how),
    field('mzxid', t`the one that last changed its data`, ...mzxidOf(state, czxid.value)),
    field('pzxid', t`the one that last changed the list of its children`, ...pzxidOf(state, czxid.value)),
    field('ctime', t`when it was created`, created && instant(created.at), byTheRun),
    field('mtime', t`when its data last changed`, changed ? instant(changed.at) : created && instant(created.at), changed ? byTheRun : t`not changed since`),
    field('version', t`changes of its data`, known && atLeast(changes), counted),
    field('cversion', t`changes of the list of its children`, known && atLeast(came + went), counted),
    field('ephemeralOwner', t`the session that it goes with`, ...ownerOf(state, directory)),
    field('dataLength', t`bytes of its data`, undefined, ''),
    field('numChildren', t`how many children it has`, known && String(came - went), counted),
  ];
}

/** @param {string} name @param {string} meaning @param {string | number | false | undefined} value @param {string} how @returns {StatField} */
const field = (name, meaning, value, how) => ({ name, meaning, value: value ? String(value) : '', how });

/** @param {ZnodeState} state @returns {{ value: number, how: string }} */
function czxidOf({ made, created, entered }) {
  if (made?.zxid) return { value: made.zxid, how: t`told by the answer` };
  if (created?.zxid) return { value: created.zxid, how: t`told by the tree` };
  return { value: entered?.token ?? 0, how: t`told as the token` };
}

/** @param {ZnodeState} state @param {number} czxid @returns {[number, string]} */
function mzxidOf({ written, changes }, czxid) {
  if (written) return [written, t`told by the answer`];
  return changes ? [0, ''] : [czxid, t`not changed since`];
}

/** @param {ZnodeState} state @param {number} czxid @returns {[number, string]} */
function pzxidOf({ children, came, went }, czxid) {
  if (children) return [children, t`told by the answer`];
  return came + went ? [0, ''] : [czxid, t`no children so far`];
}

/** @param {ZnodeState} state @param {boolean} directory @returns {[string, string]} */
function ownerOf({ created, asked }, directory) {
  if (directory) return [t`none`, persistent];
  if (!asked) return ['', ''];
  if (!asked.flags?.includes('ephemeral')) return [t`none`, persistent];
  return [created?.session ?? '', t`of client ${created?.client ?? asked.client}`];
}
