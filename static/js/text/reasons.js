// The sentences that the server makes with what it has seen, in the visitor's language.
// Their keys begin with a mark, and each value in them stands for any words:
// "~{1} wrote {2}, having read {3} before {4} changed that".

import { decimal, filled, keysWith, language, listed, spacedParts, t, translated } from './language.js';

/** How a client and a znode are told: in words alone, or with a link. @template Value @typedef {{ client: (number: number) => Value, znode: (path: string) => Value }} Naming */

const MARK = '~';

/** @type {{ key: string, match: RegExp }[]} */ let patterns = [];
/** What has been looked up: the same is drawn again and again. @type {Map<string, { key: string, values: string[] } | null>} */
const matches = new Map();
const MOST_KEPT = 5000;
/** The language that they are in. */ let spoken = '';

/** The sentences with values, those that say most first: they are the least like others. */
function known() {
  if (spoken !== language.code) {
    spoken = language.code;
    matches.clear();
    patterns = keysWith(MARK).map((key) => ({ key, match: new RegExp(`^${key.slice(1).replace(/[.*+?^$()[\]\\|/]/g, '\\$&').replace(/\{\d+\}/g, '(.+?)')}$`, 's') }))
      .sort((a, b) => b.key.replace(/\{\d+\}/g, '').length - a.key.replace(/\{\d+\}/g, '').length);
  }
  return patterns;
}

/** Without the numbers of events and what only the log needs. @param {string} why */
export const withoutEvents = (why) => why.replace(/^(zklock: session lost|stale): |^zklock: /, '').replace(/ \((since )?event \d+\)|,? (at|see) event \d+/g, '');

/**
 * A sentence in parts; what is not known stays in English.
 * @template Value @param {string} why without numbers of events @param {Naming<Value>} naming @returns {(Value | string)[]}
 */
export function reasonParts(why, naming) {
  if (why.startsWith('zklock: ')) return reasonParts(why.slice(8), naming);
  const told = (/** @type {string} */ each) => exactly(each) ?? named(each, naming) ?? attempt(each, naming) ?? value(each, naming);
  const rest = (/** @type {string} */ each) => reasonParts(each, naming);
  return spacedParts(exactly(why) ?? listOf(why, '; ', told) ?? listOf(why, ', ', told) ?? told(why) ?? listOf(why, '; ', told, rest) ?? listOf(why, ', ', told, rest) ?? [why]);
}

/** One without values. @param {string} why */
function exactly(why) {
  const found = [why, MARK + why].find((key) => translated(key) !== key);
  return found === undefined ? undefined : [translated(found)];
}

/** One with values. @template Value @param {string} why @param {Naming<Value>} naming @returns {(Value | string)[] | undefined} */
function attempt(why, naming) {
  const { key, values } = matchOf(why) ?? {};
  return key && values ? /** @type {(Value | string)[]} */ (filled(key, values.map((each) => single(reasonParts(each, naming)))).flat()) : undefined;
}

/** The sentence that fits, and its values. @param {string} why */
function matchOf(why) {
  const all = known();
  let match = matches.get(why);
  if (match === undefined) {
    if (matches.size > MOST_KEPT) matches.clear();
    const fits = all.find((each) => each.match.test(why));
    match = fits ? { key: fits.key, values: fits.match.exec(why)?.slice(1) ?? [] } : null;
    matches.set(why, match);
  }
  return match;
}

/** A value that is one thing can decide the form of a sentence. @template Value @param {Value[]} parts */
const single = (parts) => (parts.length === 1 ? /** @type {Value} */ (parts[0]) : parts);

/**
 * Several sentences, all of which are known; or else some, where there is a way for the rest.
 * @template Value @param {string} why @param {string} between @param {(each: string) => (Value | string)[] | undefined} told @param {(each: string) => (Value | string)[]} [rest]
 * @returns {(Value | string)[] | undefined}
 */
function listOf(why, between, told, rest) {
  const list = why.split(between);
  const known = list.map(told);
  if (list.length < 2 || !(rest ? known.some(Boolean) : known.every(Boolean))) return undefined;
  return list.flatMap((each, index) => [...(index ? [between === '; ' ? t`; ` : t`, `] : []), ...known[index] ?? rest?.(each) ?? []]);
}

/** What is told of one lock of several. @template Value @param {string} why @param {Naming<Value>} naming @returns {(Value | string)[] | undefined} */
function named(why, naming) {
  const [, name = '', rest = ''] = /^([\w-]+): (.+)$/s.exec(why) ?? [];
  return rest && (exactly(rest) ?? attempt(rest, naming)) ? [name, t`: `, ...reasonParts(rest, naming)] : undefined;
}

/** A client, a znode, a number or a length of time. @template Value @param {string} words @param {Naming<Value>} naming @returns {(Value | string)[] | undefined} */
function value(words, naming) {
  const client = /^client (\d+)$/.exec(words);
  if (client) return [naming.client(Number(client[1]))];
  const clients = /^clients ((?:\d+, )*\d+) and (\d+)$/.exec(words);
  if (clients) return [t`clients ${listed([...clients[1]?.split(', ') ?? [], clients[2] ?? ''])}`];
  const znode = /^(?:znode )?(\/playground\/\S+)$/.exec(words);
  if (znode) return [naming.znode(znode[1] ?? '')];
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(words);
  if (seconds) return [t`${decimal(Number(seconds[1]))} s`];
  return /^\d+(\.\d+)?$/.test(words) ? [decimal(Number(words))] : undefined;
}
