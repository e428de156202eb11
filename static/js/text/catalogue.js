// What the server can do, in its own words: the faults, the recipes and the
// checks, each with a title and a sentence. The page translates and draws them, and
// knows them by name only where it draws one unlike the others.

import { translated } from './language.js';

/** @import { CheckKind, FaultKind, Line, MomentKind, RecipeKind } from '../kinds.d.ts' */

/** @typedef {Partial<import('../kinds.d.ts').Catalogue>} Served */

export class Catalogue {
  /** @type {Map<string, FaultKind>} */ #faults;
  /** @type {Map<string, MomentKind>} */ #moments;
  /** @type {Map<string, RecipeKind>} */ #recipes;
  /** @type {Map<string, CheckKind>} */ #checks;

  /** @param {Served} [served] nothing before the server has answered */
  constructor({ faults = [], moments = [], recipes = [], checks = [] } = {}) {
    this.#faults = byName(faults.map((fault) => ({
      ...inWords(fault), ...(fault.parameters && { parameters: fault.parameters.map(titleInWords) }), ...(fault.repeats && { repeats: titleInWords(fault.repeats) }),
    })));
    this.#moments = byName(moments.map(inWords));
    this.#recipes = byName(recipes.map((recipe) => ({ ...inWords(recipe), code: recipe.code.map(translatedLine) })));
    this.#checks = byName(checks.map((check) => ({ ...inWords(check), violated: translated(check.violated) })));
  }

  /** The faults of clients or of servers, in the server's order. @param {FaultKind['target']} target */
  faultsOf(target) {
    return [...this.#faults.values()].filter((fault) => fault.target === target);
  }

  /** What can come again and again: its fault, in words, and the seconds from one to the next to begin with. */
  get repetitions() {
    return [...this.#faults.values()].flatMap(({ name, repeats }) => (repeats ? [{ fault: name, words: repeats.title, seconds: repeats.seconds }] : []));
  }

  /** A fault by its name; one that the server does not name is told by its name alone. @param {string} name @returns {FaultKind} */
  fault(name) {
    return this.#faults.get(name) ?? { name, title: name, sentence: '', target: 'client', lasts: false };
  }

  /** What an armed fault can wait for, in the server's order. */
  get moments() {
    return [...this.#moments.values()];
  }

  /** @param {string} name @returns {MomentKind} */
  moment(name) {
    return this.#moments.get(name) ?? { name, title: name, sentence: '' };
  }

  /** @param {string} name @returns {RecipeKind} */
  recipe(name) {
    return this.#recipes.get(name) ?? { name, title: name, sentence: '', code: [] };
  }

  /** @param {string} name @returns {CheckKind} */
  check(name) {
    return this.#checks.get(name) ?? { name, title: name, sentence: '', violated: '' };
  }

  /** What each check has found, in the server's order. @template Found @param {Map<string, Found>} findings by the check's name */
  ordered(findings) {
    const names = new Set([...this.#checks.keys(), ...findings.keys()]);
    return [...names].flatMap((name) => {
      const found = findings.get(name);
      return found ? [{ ...this.check(name), ...found }] : [];
    });
  }
}

/** The same in the visitor's language. @template {{ title: string, sentence: string }} Kind @param {Kind} kind @returns {Kind} */
const inWords = (kind) => ({ ...kind, title: translated(kind.title), sentence: translated(kind.sentence) });

/** @template {{ title: string }} Kind @param {Kind} kind @returns {Kind} */
const titleInWords = (kind) => ({ ...kind, title: translated(kind.title) });

/** @param {Line} line of a recipe */
const translatedLine = ({ text, wrong, ...line }) => ({ ...line, text: text.replace(/\S.*/, translated), ...(wrong && { wrong: translated(wrong) }) });

/** @template {{ name: string }} Kind @param {Kind[]} kinds */
const byName = (kinds) => new Map(kinds.map((kind) => [kind.name, kind]));

/** The parameter by which a fault is given a length of time. */
const LENGTH = 'for';

/**
 * What a fault is asked for: its length, if it takes one, and its other parameters as a
 * visitor has chosen them, or as they begin.
 * @param {FaultKind} fault
 * @param {number} seconds 0 asks for no length
 * @param {(name: string) => string | undefined} [chosen]
 * @returns {Record<string, string | number>}
 */
export function argumentsOf(fault, seconds, chosen = () => undefined) {
  const given = choicesOf(fault).flatMap(({ name, unit, default: first }) => {
    const value = chosen(name) ?? first;
    if (!value) return [];
    return [[name, unit ? value + unit : Number(value) || value]];
  });
  if (seconds && fault.parameters?.some(({ name }) => name === LENGTH)) given.push([LENGTH, `${seconds}s`]);
  return Object.fromEntries(given);
}

/** What a visitor chooses of a fault, beside its length. @param {FaultKind} fault */
export const choicesOf = ({ parameters = [] }) => parameters.filter(({ choices }) => choices);
