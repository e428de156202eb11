// What a recording's header and events must be like, so that the page can fold and
// show them as if its own server had sent them. Names and sentences may hold any
// characters, as the page shows them as text; they may not be absurdly long, nor
// be the names that every JavaScript object answers to.
//
// Fields and kinds that are not known are let pass: a later playground may add some
// without a new version as long as a reader may pass over them.

import { t } from '../text/language.js';

/** @import { Run } from '../events.d.ts' */

/** @typedef {(value: unknown) => boolean} Check */

export const FORMAT = 'zkplayground-run';
/** The version that is read. It is raised when older readers would misread. */
export const VERSION = 2;

const MAX_LANES = 5;
const MAX_CLIENTS = 1000;
/** How many guests may have joined a lane beside its clients. */
const MAX_GUESTS = 1000;
/** The longest name, path, and sentence, in characters. */
const MAX_NAME = 200;
const MAX_PATH = 4000;
export const MAX_SENTENCE = 20_000;
/** The longest program that a visitor may have written, in characters. */
const MAX_SOURCE = 16_384;
/** The longest time that a run may take, in microseconds: a year. */
const MAX_TIME = 366 * 24 * 3600 * 1e6;
/** The most parts of a multi, and the most verdicts that a run expects. */
const MAX_PARTS = 10_000;
/** How deep reasons may be nested. */
const MAX_REASONS = 6;
/** How deep what is not known may be nested. */
const MAX_DEPTH = 4;

/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** @param {number} low @param {number} high @returns {Check} */
const within = (low, high) => (value) => Number.isSafeInteger(value) && Number(value) >= low && Number(value) <= high;

const natural = within(0, Number.MAX_SAFE_INTEGER);
const instant = within(0, MAX_TIME);

/** What Go has in 64 bits may be beyond what a number here tells exactly. @type {Check} */
const integer = (value) => Number.isInteger(value) && Math.abs(Number(value)) <= 2 ** 63;

/** @type {Check} */
const truth = (value) => typeof value === 'boolean';

/** @param {number} longest @returns {Check} */
const text = (longest) => (value) => typeof value === 'string' && value.length <= longest;

const sentence = text(MAX_SENTENCE);
const path = text(MAX_PATH);

/** A name that may be looked up in an object. @param {string} name */
const isPlain = (name) => name.length <= MAX_NAME && name !== 'prototype' && !(name in Object.prototype);

/** @type {Check} */
const name = (value) => typeof value === 'string' && isPlain(value);

/** The name of a lane: nothing is looked up by it but in maps. */
const laneName = text(MAX_NAME);

/** @type {Check} */
const names = (value) => Array.isArray(value) && value.length <= MAX_PARTS && value.every(name);

/** @param {number} most of them @returns {Check} */
const numbersFrom1 = (most) => (value) => Array.isArray(value) && value.length <= most && value.every(within(1, Number.MAX_SAFE_INTEGER));

const numbers = numbersFrom1(MAX_PARTS);
const clients = numbersFrom1(MAX_CLIENTS + MAX_GUESTS);

/** @type {Check} */
const kind = (value) => text(MAX_NAME)(value) && /^[a-z]+\.[a-z-]+$/.test(String(value));

/** @param {...string} values @returns {Check} */
const oneOf = (...values) => (value) => values.includes(/** @type {string} */ (value));

const verdict = oneOf('holds', 'violated', 'undecided');

/** @param {Table} fields @returns {Check} */
const object = (fields) => (value) => wrongField(value, fields) === undefined;

/** @param {Table} fields @param {number} least @param {number} most @returns {Check} */
const list = (fields, least, most) => (value) => Array.isArray(value) && value.length >= least && value.length <= most
  && value.every(object(fields));

/** @type {Check} */
const verdicts = (value) => isObject(value) && Object.keys(value).length <= MAX_PARTS
  && Object.entries(value).every(([key, each]) => isPlain(key) && verdict(each));

/** What must be there, and what may be. @typedef {{ must: Map<string, Check>, may: Map<string, Check> }} Table */

/** @param {Record<string, Check>} must @param {Record<string, Check>} [may] @returns {Table} */
const table = (must, may = {}) => ({ must: new Map(Object.entries(must)), may: new Map(Object.entries(may)) });

/** @type {Check} */
const paths = (value) => Array.isArray(value) && value.length > 0 && value.length <= MAX_LANES && value.every(path);

const laneFields = table({ name: laneName, title: sentence, recipe: name, path, clients: within(0, MAX_CLIENTS) }, {
  account: name, root: path, locks: paths, store: name, missing: sentence, permits: within(0, MAX_CLIENTS), source: text(MAX_SOURCE),
});

const runFields = table({
  id: name, room: name, scenario: name, state: oneOf('running', 'stopping', 'finished'), seed: integer,
  clients: within(0, MAX_CLIENTS), delay: name, session: name, lanes: list(laneFields, 1, MAX_LANES),
  zookeeper: object(table({ version: name, managed: truth }, { nodes: natural })), events: natural, at: instant,
}, { title: sentence, step: truth, steps: natural, expect: verdicts, decisive: names });

const headerFields = table({ format: oneOf(FORMAT), version: within(1, Number.MAX_SAFE_INTEGER) });

const partFields = table({ op: name }, { path, flags: name, err: sentence });

const statFields = table({}, {
  czxid: integer, mzxid: integer, pzxid: integer, ctime: integer, mtime: integer, version: integer, cversion: integer,
  ephemeralOwner: name, dataLength: integer, numChildren: integer,
});

const roundFields = table({ change: natural, at: instant, cause: oneOf('release', 'end', 'removed') }, {
  client: natural, woken: natural, acquired: natural, wasted: natural, joined: natural, complete: truth,
});

const costFields = table({}, {
  wakeups: natural, wasted: natural, joining: natural, unexplained: natural, rounds: natural, roundWakeups: natural, roundWasted: natural, round: object(roundFields),
});

const watchedFields = table({}, {
  id: natural, on: oneOf('data', 'children', 'persistent', 'recursive'), absent: truth, request: natural, arrived: truth, change: natural,
  fired: numbers, end: oneOf('removed', 'connection', 'session', 'crash', 'left'),
});

const writeFields = table({ client: natural, event: natural }, {
  token: integer, read: integer, balance: integer, over: integer, accepted: truth, overClient: natural, overEvent: natural,
});

const accountFields = table({ amount: integer, should: integer }, { losers: clients, accepted: natural, refused: natural, underWay: list(writeFields, 0, MAX_CLIENTS), write: object(writeFields) });

const queueFields = table({}, { handedOver: natural, together: natural, stoodStill: natural });

/** Why something is so; it may be made of other reasons, and those of others. @param {unknown} value @returns {boolean} */
const reason = (value, depth = MAX_REASONS) => depth > 0 && isObject(value) && name(value['code']) && Object.keys(value).every((key) => key === 'code' || key === 'args')
  && (value['args'] === undefined || (isObject(value['args']) && Object.entries(value['args']).every(([key, arg]) => isPlain(key)
    && (Array.isArray(arg) ? arg : [arg]).every((each) => Number.isFinite(each) || sentence(each) || reason(each, depth - 1)))));

const eventFields = table({ seq: natural, at: instant, kind }, {
  lane: laneName, client: within(0, MAX_CLIENTS + MAX_GUESTS),
  op: name, path, flags: name, watch: truth, type: name, xid: integer, zxid: integer, err: sentence, latency: integer,
  children: natural, ops: list(partFields, 0, MAX_PARTS), dir: oneOf('out', 'in'), frame: natural, due: instant, bytes: natural, data: sentence, stat: object(statFields),
  session: name, timeout: integer, token: integer, mode: name, thread: natural, line: natural, predecessor: path, read: integer, balance: integer,
  cause: name, by: natural, fault: name, effects: names, server: name, for: natural, when: name, every: natural, check: name, verdict, sent: instant, delay: instant, held: truth, derived: truth,
  participant: name, name, cost: object(costFields), watched: object(watchedFields), account: object(accountFields), queue: object(queueFields), clients, wrong: natural, state: isObject, why: sentence, reason: (value) => reason(value),
});

/**
 * Names a field that is not as it should be; null stands for the whole, undefined says
 * that all is well.
 * @param {unknown} value
 * @param {Table} fields
 * @returns {string | null | undefined}
 */
function wrongField(value, fields) {
  if (!isObject(value)) return null;
  for (const key of fields.must.keys()) if (!Object.hasOwn(value, key)) return key;
  for (const key of Object.keys(value)) {
    const check = fields.must.get(key) ?? fields.may.get(key);
    if (!isPlain(key) || !(check ?? harmless)(value[key])) return key;
  }
  return undefined;
}

/**
 * Whether an unknown value, which nobody will read, can do no harm.
 * @param {unknown} value
 * @returns {boolean}
 */
function harmless(value, depth = MAX_DEPTH) {
  if (typeof value !== 'object' || value === null) return true;
  return depth > 0 && Object.keys(value).every(isPlain) && Object.values(value).every((each) => harmless(each, depth - 1));
}

/** @param {string | null} field */
const complaint = (field) => (field === null ? t`it is no object` : t`its field “${field.slice(0, 40)}” is missing or wrong`);

/** Whether a first line is that of an older version. @param {unknown} header */
export const isOld = (header) => isObject(header) && wrongField(header, headerFields) === undefined && Number(header['version']) < VERSION;

/**
 * What is wrong with a recording's first line; empty if nothing is.
 * @param {unknown} header
 * @returns {string}
 */
export function checkHeader(header) {
  if (!isObject(header) || wrongField(header, headerFields) !== undefined) return t`its first line does not say that it is one`;
  if (header['version'] !== VERSION) return t`it is of version ${header['version']}, made by a later playground, and this page reads version ${VERSION}`;
  const wrong = wrongField(header['run'], runFields);
  if (wrong !== undefined) return t`the description of its run is damaged: ${complaint(wrong)}`;
  const { lanes } = /** @type {Run} */ (header['run']);
  if (new Set(lanes.map((lane) => lane.name)).size < lanes.length) return t`two of its lanes have the same name`;
  return '';
}

/**
 * What is wrong with an event by itself; empty if nothing is.
 * @param {unknown} event
 * @param {Run} run
 * @returns {string}
 */
export function checkEvent(event, run) {
  const wrong = wrongField(event, eventFields);
  if (wrong !== undefined) return complaint(wrong);
  const { lane: named = '', client = 0 } = /** @type {import('../events.d.ts').Event} */ (event);
  const lane = run.lanes.find((each) => each.name === named);
  if (named && !lane) return t`it is of a lane that the run does not have`;
  if (client > (lane?.clients ?? run.clients) + MAX_GUESTS) return t`it is of a client that the run does not have`;
  return '';
}
