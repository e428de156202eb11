// What the goals of a lesson call wrong: its readers are not shown that, so it comes from
// the lesson's file.
import { readdirSync, readFileSync } from 'node:fs';

/** @import { Act } from '../../js/lesson/perform-acts.js' */
/** @import { Pattern } from '../../js/model/goal.js' */

/** Said: in the words of the English lesson. @typedef {{ act: Act, said: string }} Tried */

/** What wrong attempts wait for, by the words of authors in playground/goal/happening.go. @type {Record<string, Pattern>} */
const happenings = {
  acquired: { kind: 'lock.acquired' }, waits: { kind: 'lock.waiting' }, queued: { kind: 'lock.enqueued' }, woken: { kind: 'lock.woken' },
  lost: { kind: 'lock.lost' }, 'gave up': { kind: 'lock.gave-up' }, written: { kind: 'resource.accepted' },
  broken: { kind: 'fault.injected' }, healed: { kind: 'fault.healed' }, violated: { kind: 'check.changed', verdict: 'violated' },
  got: { kind: 'wire.received', ops: ['getData'] }, notified: { kind: 'wire.received', ops: ['notification'] }, 'reply lost': { kind: 'wire.dropped' },
  'session resumed': { kind: 'session.resumed' }, 'gone with its session': { kind: 'tree.deleted', causes: ['close', 'expiry'] },
};

const folder = new URL('../../../lessons/en/', import.meta.url);

/** The lessons, in order. */
export const slugs = readdirSync(folder).flatMap((name) => /^\d\d-(.*)\.md$/.exec(name)?.[1] ?? []);

/** @param {string} slug @returns {Map<string, Tried[]>} by the key of the goal */
export function wrongOf(slug) {
  const file = readdirSync(folder).find((name) => name.replace(/^\d\d-/, '') === `${slug}.md`) ?? '';
  const checks = [...readFileSync(new URL(file, folder), 'utf8').matchAll(/^```check\n(.*?)^```/gms)].map(([, text = '']) => JSON.parse(text));
  return new Map(checks.map(({ name, wrong }) => [`${slug}/${name}`, wrong.map(triedOf)]));
}

/** @param {any} written as an author writes an act @returns {Tried} */
function triedOf(written) {
  if (!written.wait) return { act: written, said: written.says ?? '' };
  const { event, ...where } = written.wait;
  const found = happenings[event];
  if (!found) throw new Error(`a wrong attempt waits for “${event}”, which is not known here`);
  const by = where.by ?? (/^(wire\.received|session)/.test(found.kind) ? 'you' : 'anyone');
  return { act: { wait: { ...found, ...where, by: by === 'anyone' ? undefined : by } }, said: written.says ?? '' };
}
