// Reasons in the visitor's language. A reason is a code with arguments, which Go gives it:
// see playground/event/reason.go.

import { clientNames } from './format.js';
import { decimal, filled, fixed, keyOf, spacedParts, t, translated } from './language.js';
import { node } from './naming.js';
import { english } from './reasons-en.js';

/** @import { Args, Reason } from '../events.d.ts' */

/** How a client and a znode are told: in words alone, or with a link. @template Value @typedef {{ client: (number: number) => Value, znode: (path: string) => Value }} Naming */

/** An argument: what it is, and its name. A kind that is also its name stands there once. */
const ARGUMENT = /\{(?:(\w+) )?(\w+)\}/g;

/** The sentences of codes: the key in the tables of languages, and the arguments in their order. */
const sentences = new Map(Object.entries(english).map(([code, sentence]) => [code, {
  key: keyOf(sentence.split(/\{.*?\}/)),
  args: [...(sentence.split('|').at(-1) ?? '').matchAll(ARGUMENT)].map(([, kind, name = '']) => ({ kind: kind ?? name, name })),
}]));

/** A reason in the visitor's language. @param {Reason | undefined} reason */
export const reasonWords = (reason) => reasonParts(reason, { client: (number) => t`client ${number}`, znode: node }).join('');

/** A reason after what it is the reason of. @param {Reason | undefined} reason */
export const because = (reason) => (reason ? t`: ${reasonWords(reason)}` : '');

/**
 * A sentence in parts, without a full stop.
 * @template Value @param {Reason | undefined} reason @param {Naming<Value>} naming @returns {(Value | string)[]}
 */
export function reasonParts(reason, naming) {
  if (!reason) return [];
  const sentence = sentences.get(reason.code);
  if (!sentence) return [reason.code];
  const values = sentence.args.map(({ kind, name }) => single(valueOf(kind, reason.args?.[name] ?? '', naming)));
  return spacedParts(/** @type {(Value | string)[]} */ (filled(sentence.key, values).flat()));
}

/** A value that is one thing can decide the form of a sentence. @template Value @param {Value[]} parts */
const single = (parts) => (parts.length === 1 ? /** @type {Value} */ (parts[0]) : parts);

/** @template Value @param {string} kind @param {Args[string]} value @param {Naming<Value>} naming @returns {(Value | string)[]} */
function valueOf(kind, value, naming) {
  switch (kind) {
    case 'client': return [naming.client(Number(value))];
    case 'clients': return [clientNames([value].flat().map(Number))];
    case 'znode': return [naming.znode(String(value))];
    case 'instant': return [t`${fixed(Number(value) / 1e6, 3)} s`];
    case 'span': return [Number(value) < 1e6 ? t`${decimal(Number(value) / 1e3)} ms` : t`${decimal(Number(value) / 1e6)} s`];
    case 'tenths': return [fixed(Number(value) / 10, 1)];
    case 'served': return [translated(String(value))];
    case 'reason': case 'list': case 'parts': {
      const reasons = [value].flat().filter((each) => typeof each === 'object');
      return reasons.flatMap((each, index) => [...(index ? [kind === 'parts' ? t`; ` : t`, `] : []), ...reasonParts(each, naming)]);
    }
    default: return [typeof value === 'number' ? decimal(value) : String(value)];
  }
}
