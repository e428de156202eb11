// The sentences that the server makes with what it has seen, in the visitor's language.
// Their keys begin with a mark, and each value in them stands for any words:
// "~{1} wrote {2}, having read {3} before {4} changed that".

import { filled, fixed, keysWith, language, listed, t, translated } from './language.js';

/** How a client and a znode are told: in words alone, or with a link. @template Value @typedef {{ client: (number: number) => Value, znode: (path: string) => Value }} Naming */

const MARK = '~';

/** @type {{ key: string, match: RegExp }[]} */ let patterns = [];
/** The language that they are in. */ let spoken = '';

/** The sentences with values, those that say most first: they are the least like others. */
function known() {
  if (spoken !== language.code) {
    spoken = language.code;
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
  return attempt(why, naming) ?? value(why, naming) ?? clauses(why, '; ', naming) ?? clauses(why, ', ', naming) ?? named(why, naming) ?? [why];
}

/** The whole, if it is known. @template Value @param {string} why @param {Naming<Value>} naming @returns {(Value | string)[] | undefined} */
function attempt(why, naming) {
  if (translated(why) !== why) return [translated(why)];
  if (why.startsWith('zklock: ')) return attempt(why.slice(8), naming);
  for (const { key, match } of known()) {
    const found = match.exec(why);
    if (found) return /** @type {(Value | string)[]} */ (filled(key, found.slice(1).map((each) => single(reasonParts(each, naming)))).flat());
  }
  return undefined;
}

/** A value that is one thing can decide the form of a sentence. @template Value @param {Value[]} parts */
const single = (parts) => (parts.length === 1 ? /** @type {Value} */ (parts[0]) : parts);

/** @template Value @param {string} why @param {string} between @param {Naming<Value>} naming @returns {(Value | string)[] | undefined} */
function clauses(why, between, naming) {
  const all = why.split(between);
  if (all.length < 2 || !all.some((each) => attempt(each, naming) ?? value(each, naming))) return undefined;
  return all.flatMap((each, index) => [...(index ? [between === '; ' ? t`; ` : t`, `] : []), ...reasonParts(each, naming)]);
}

/** What is told of one lock of several. @template Value @param {string} why @param {Naming<Value>} naming @returns {(Value | string)[] | undefined} */
function named(why, naming) {
  const [, name = '', rest = ''] = /^([\w-]+): (.+)$/s.exec(why) ?? [];
  return rest && attempt(rest, naming) ? [name, t`: `, ...reasonParts(rest, naming)] : undefined;
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
  if (seconds) return [t`${number(seconds[1])} s`];
  return /^\d+(\.\d+)?$/.test(words) ? [number(words)] : undefined;
}

/** A number with as many digits as it has. @param {string} [digits] */
const number = (digits = '') => fixed(Number(digits), digits.split('.')[1]?.length ?? 0);
