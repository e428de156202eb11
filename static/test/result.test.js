// What a run has come to: the card says what the server sums up, and where to look.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { EventLog } from '../js/log/event-log.js';
import { decisiveEvent } from '../js/model/result.js';
import { newestComplete } from '../js/model/rounds.js';
import { apply, createView } from '../js/model/view.js';
import { captionWords, textOf } from '../js/text/caption-words.js';
import { mean, span } from '../js/text/format.js';
import { nextOf, nexts } from '../js/stage/next.js';
import { laneResults, resultSentences } from '../js/text/result.js';
import { catalogue, fold, names, recording, summary } from './recording.js';

/** As people say a mean. @param {number} value */
const said = (value) => mean(value).replace('.0', '');
/** @param {any} lane of a summary */
const woke = ({ rounds: { complete, wakeups } }) => said(wakeups / complete);
/** @param {any} lane of a summary */
const inVain = ({ rounds: { complete, wastedWakeups } }) => said(wastedWakeups / complete);
/** @param {any[]} lanes of a summary */
const lessByOne = ([herd]) => `in Herd a release woke ${woke(herd)} clients on average, ${inVain(herd)} of them for nothing; in Predecessor 1 client, never for nothing`;
/** @param {string} name of the lane that is wrong @param {string} [other] @returns {(lanes: any[]) => string} */
const believedIn = (name, other = 'Predecessor') => ([wrong]) => `clients believed falsely that they held the lock: for ${span(wrong.falseBeliefMicros)} in ${name}, never in ${other}`;
/** @param {string} name of the lane that is wrong @param {string} [other] @param {string} [never] who never held @returns {(lanes: any[]) => string} */
const stoodStill = (name, other = 'Predecessor', never = '') => ([wrong, right]) => `${name} stood still after ${wrong.acquisitions} acquisition${wrong.acquisitions === 1 ? '' : 's'}${never}; ${other} came to ${right.acquisitions}`;

/** @param {any} lane */
const lossIn = ({ verdicts }) => /the account should be .*/.exec(verdicts.map((/** @type {any} */ { why }) => why).join('\n'))?.[0];

/** What is said of each recorded run, from what the server sums up. @type {Record<string, (lanes: any[]) => string | string[] | undefined>} */
const sentences = {
  'herd-vs-predecessor': lessByOne,
  'many-clients': lessByOne,
  'ephemeral-crash': () => 'the lock stood still for up to 3.9 s; a release, or the end of a holder’s session, woke 1 client on average, never for nothing',
  'read-write': () => 'up to 7 readers held it at the same time; a release woke up to 6 clients, never for nothing',
  'semaphore': ([lane]) => `up to 3 clients held it at the same time; a release woke ${woke(lane)} clients on average, never for nothing`,
  'several-locks': () => 'the lock stood still for up to 2.2 s; a release, or the end of a holder’s session, woke 1 client on average, never for nothing',
  'multi-lock': ([lane]) => `a release woke ${woke(lane)} clients on average, ${inVain(lane) === '0' ? 'never' : `${inVain(lane)} of them`} for nothing`,
  'deadlock': stoodStill('Nested', 'Ordered'),
  'lost-place': () => 'a release woke 1.5 clients on average, 0.5 of them for nothing',
  'reentrant': () => 'in Local-first clients 2 and 3 never held the lock; in Local-first no release woke anybody; in Reentrant a release woke 1 client on average, never for nothing',
  'no-queue': ([flag]) => `in Ephemeral client 5 never held the lock; in Ephemeral a release woke ${woke(flag)} clients on average, ${inVain(flag)} of them for nothing; in Predecessor 1 client, never for nothing`,
  'downgrade': () => 'up to 3 readers held it at the same time; a release woke up to 2 clients, 0.2 of them for nothing',
  'by-hand': ([lane]) => `a release, or the end of a holder’s session, woke ${woke(lane)} clients on average, never for nothing`,
  'revocation': () => 'a release woke 1 client on average, never for nothing',
  'timed-lock': () => 'a release woke 1 client, never for nothing',
  'kill-leader': () => 'a release woke 1 client on average, never for nothing',
  'two-holders': ([lane]) => lossIn(lane),
  'writer-leaves': () => 'up to 4 readers held it at the same time; a release woke up to 4 clients, never for nothing; 4 clients woke for nothing though nobody had released the lock',
  'delayed-write': ([unfenced]) => [`in Unfenced ${lossIn(unfenced)}`, 'in Token nothing is lost: all deposits are in the account; 1 late write refused'],
  'late-write': () => 'in both lanes nothing is lost: all deposits are in the account',
  'leader-loss': () => 'a release woke 1 client on average, never for nothing',
  'lost-quorum': ([lane]) => `a release woke ${woke(lane)} clients on average, never for nothing`,
  'two-holders-fenced': () => 'in both lanes nothing is lost: all deposits are in the account; 1 late write refused',
  'stores': ([, cache]) => ['in Database nothing is lost: all deposits are in the account', `in Cache ${lossIn(cache)}`, 'in ZooKeeper nothing is lost: all deposits are in the account; 1 late write refused'],
  'lost-wakeup': stoodStill('WriteLock', 'Predecessor', ': client 2 never held the lock'), 'lost-reply': stoodStill('Plain'),
  'flag-deadlock': stoodStill('Flag', 'Predecessor', ': client 2 never held the lock'),
  'repeated-delete': believedIn('One name', 'Guid and number'),
  'expired-holder': believedIn('Deaf'), 'dying-session': believedIn('Adopting'), 'own-node': believedIn('go-zookeeper'),
};

/** What the server sums up, by the names that the card has for it. @param {any} lane of a summary @returns {Record<string, string>} */
function summedUp({ acquisitions, releases, requests, rounds, falseBeliefMicros, verdicts }) {
  const why = verdicts.find((/** @type {any} */ { check }) => check === 'fenced-account')?.why ?? '';
  const [, should, is, lost] = /the account should be (\d+), is (\d+): (\d+) of/.exec(why) ?? [];
  return {
    'acquisitions': String(acquisitions), 'releases': String(releases), 'requests per acquisition': mean(requests / acquisitions),
    'woken per release': mean(rounds.wakeups / rounds.complete), 'for nothing per release': mean(rounds.wastedWakeups / rounds.complete),
    'of false belief': falseBeliefMicros ? span(falseBeliefMicros) : '0 s',
    ...(lost ? { 'should be': should ?? '', 'is': is ?? '', lost } : { lost: '0' }),
  };
}

for (const name of names) {
  test(`${name}: the card says what the server sums up`, () => {
    const { lanes, at } = fold(recording(name));
    assert.deepEqual(resultSentences(lanes, at), [sentences[name]?.(summary(name).lanes)].flat());
    const results = laneResults(lanes, at, catalogue);
    for (const [index, expected] of summary(name).lanes.entries()) {
      const { figures, violated, others } = /** @type {typeof results[number]} */ (results[index]);
      const sums = summedUp(expected);
      assert.equal(figures.length, 3);
      for (const { name: figure, value } of figures) if (figure in sums) assert.equal(value, sums[figure], figure);
      assert.ok(figures.some((figure) => figure.name in sums));
      const those = (/** @type {string} */ wanted) => expected.verdicts.filter((/** @type {any} */ { verdict }) => verdict === wanted);
      assert.deepEqual(violated, those('violated').map((/** @type {any} */ { check }) => catalogue.check(check).violated));
      assert.equal(Number(/\d+/.exec(others)?.[0]), those('holds').length);
    }
  });

  test(`${name}: the card's sentence is spoken with the end, once`, () => {
    const { lanes, captions, at } = fold(recording(name));
    const ends = captions.newest.filter(({ kind }) => kind === 'note.finished');
    assert.equal(ends.length, 1);
    const { rest } = captionWords(/** @type {import('../js/model/captions.js').Caption} */ (ends[0]), lanes, catalogue);
    const words = textOf(rest).toLowerCase();
    for (const sentence of resultSentences(lanes, at)) assert.equal(words.split(sentence.toLowerCase()).length, 2, words);
  });
}

test('where nothing is lost, the account should be what it is', () => {
  const { lanes, at } = fold(recording('two-holders-fenced'));
  for (const { figures: [should, is, lost] } of laneResults(lanes, at, catalogue)) assert.deepEqual([should?.value, lost?.value], [is?.value, '0']);
});

/** The event to look back to. @param {string} name @param {import('../js/events.d.ts').InstantName[]} decisive the instants that the scenario names */
function lookBack(name, decisive) {
  const recorded = recording(name);
  const log = new EventLog();
  log.append(structuredClone(recorded.events));
  const { lanes, clients } = recorded.run;
  return { recorded, index: decisiveEvent(recorded.events.reduce(apply, createView(lanes, clients, decisive)), log) ?? -1 };
}

for (const decisive of /** @type {import('../js/events.d.ts').InstantName[][]} */ ([['first-release'], []])) test(`looking back shows the first herd in both lanes${decisive.length ? '' : ', also where no scenario says so'}`, () => {
  const { recorded, index } = lookBack('herd-vs-predecessor', decisive);
  const shown = (/** @type {number} */ count) => fold(recorded, count).lanes.map(({ rounds }) => {
    const round = newestComplete(rounds);
    return round && [round.woken, round.wasted];
  });
  assert.deepEqual(shown(index + 1), [[7, 6], [1, 0]]);
  assert.notDeepEqual(shown(index), [[7, 6], [1, 0]]);
});

test('looking back shows the first decisive instant that the scenario names', () => {
  const { recorded, index } = lookBack('two-holders-fenced', ['refused', 'lost-update']);
  assert.equal(recorded.events[index]?.account?.write?.accepted, undefined);
  assert.equal(fold(recorded, index + 1).lanes[0]?.account.refused, 1, 'the account shows it by then');
});

test('where the scenario names none, looking back shows what was violated first', () => {
  const { recorded, index } = lookBack('expired-holder', []);
  const { kind, check, verdict } = recorded.events[index] ?? {};
  assert.deepEqual([kind, check, verdict], ['check.changed', 'belief', 'violated']);
});

test('the lock stands still from a crash until the session has ended', () => {
  const { events } = recording('ephemeral-crash');
  const crash = events.find(({ kind, fault }) => kind === 'fault.injected' && fault === 'crash');
  const next = events.find(({ kind, at }) => kind === 'lock.acquired' && at > (crash?.at ?? Infinity));
  const [lane] = fold(recording('ephemeral-crash')).lanes;
  assert.equal(lane?.handovers.longestStandstill, (next?.at ?? NaN) - (crash?.at ?? NaN));
});

test('of a run without any of that there is nothing to look back to', () => {
  const recorded = recording('kill-leader');
  const log = new EventLog();
  log.append(recorded.events.slice(0, 20));
  const view = fold(recorded, 20);
  assert.equal(decisiveEvent(view, log), undefined);
  assert.deepEqual(resultSentences(view.lanes, view.at), ['nobody has released the lock']);
});

test('after each scenario of a lesson there is something to try, as a lesson runs it', () => {
  const read = (/** @type {string} */ folder, /** @type {string} */ ending) => {
    const url = new URL(`../../${folder}/`, import.meta.url);
    return readdirSync(url).filter((file) => file.endsWith(ending)).map((file) => readFileSync(new URL(file, url), 'utf8'));
  };
  const shipped = read('playground/scenario/shipped', '.json').map((text) => JSON.parse(text));
  const cards = read('lessons/en', '.md').flatMap((text) => [...text.matchAll(/```scenario\n(.*?)\n```/gs)].map(([, card]) => JSON.parse(card ?? '')));
  assert.deepEqual(Object.keys(nexts).sort(), shipped.filter(({ lesson }) => lesson).map(({ name }) => name).sort());
  for (const { scenario, clients, delay, seed } of [...Object.values(nexts), nextOf({ scenario: 'herd-vs-predecessor', clients: 16 }) ?? { scenario: '' }]) {
    const own = shipped.find(({ name }) => name === scenario);
    const settings = [own, ...cards.filter((card) => card.scenario === scenario)].map((each) => [each?.clients, each?.delay, each?.seed]);
    assert.ok(settings.some((each) => String(each) === String([clients, delay, seed])), `${scenario}: ${[clients, delay, seed]}`);
  }
  assert.equal(nextOf({ scenario: 'mine', clients: 3 }), undefined);
  assert.notEqual(nextOf({ scenario: 'herd-vs-predecessor', clients: 8 })?.scenario, nextOf({ scenario: 'herd-vs-predecessor', clients: 16 })?.scenario);
});
