// A language in which every sentence is its own with marks around its words: what comes
// without marks has not been translated.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { languages, speak } from '../js/text/language.js';
import { keys, printedFalse, served, wordsInScript } from './sentences.js';

/** @import { Event, Lane } from '../js/events.d.ts' */

/** @param {string} key */
const marked = (key) => key.replace(/#\w+$/, '').replace(/(\{[^}]*\})|\p{L}[\p{L}’']*/gu, (word, value) => value ?? `‹${word}›`);
languages.push({ code: 'xx', name: 'Marked', plurals: ['one', 'other'] });
speak('xx', Object.fromEntries(keys().map((key) => [key, marked(key)])));

// What they say as they are loaded is in that language too.
const { apply, createView } = await import('../js/model/view.js');
const { captionWords, summed, textOf } = await import('../js/text/caption-words.js');
const { clientWord, guestWord, runTitle, settingsWords, stateWord } = await import('../js/text/format.js');
const { laneResults, resultSentences } = await import('../js/text/result.js');
const { sentence } = await import('../js/text/sentence.js');
const { actionWords } = await import('../js/text/actions.js');
const { choicesOf } = await import('../js/text/catalogue.js');
const { measureSentence, measureWords } = await import('../js/panel/numbers/words.js');
const { nexts } = await import('../js/stage/next.js');
const { steps } = await import('../js/lesson/tour-words.js');
const { reasons, goalStates } = await import('../js/lesson/exercise-words.js');
const { aboutTrial, verdictOf } = await import('../js/editor/judgement-words.js');
const { describe, label } = await import('../js/stage/sequence/words.js');
const { createSequence, extend } = await import('../js/model/sequence.js');
const { spokenLines } = await import('./spoken-lines.js');
const { catalogue, names, recording } = await import('./recording.js');

/** What is the same in every language: the names of things in ZooKeeper, those that a run gives, and what scenarios said that are no more as they were. @param {Event[]} events @param {Lane[]} lanes */
function namesOf(events, lanes) {
  const fields = events.flatMap(({ op = '', err = '', type = '', flags = '', path = '', predecessor = '', lane = '', session = '', ops = [] }) =>
    [op, err, type, flags, path, predecessor, lane, session, ...ops.map((each) => each.op)]);
  const titles = lanes.flatMap(({ title }) => (served.includes(title) ? [] : title));
  return new Set(['ZooKeeper', 'ok', 'and', ...[...fields, ...titles].join(' ').match(/[A-Za-z]{2,}/g) ?? []]);
}

/** @param {string} text @param {Set<string>} own */
const unmarked = (text, own) => (text.replace(/‹[^‹›]*›/g, '').match(/[A-Za-z]{2,}/g) ?? []).filter((word) => !own.has(word));

/** @param {unknown} said @param {Set<string>} [own] */
function check(said, own = new Set(['ZooKeeper'])) {
  const text = typeof said === 'string' ? said : JSON.stringify(said);
  assert.deepEqual(unmarked(text, own), [], text);
}

test('no part of the page has words of its own', () => {
  for (const [file, words] of wordsInScript()) assert.deepEqual(words, [], file);
});

test('no template prints what may be false', () => {
  for (const [file, found] of printedFalse()) assert.deepEqual(found, [], file);
});

test('what a judgement says is translated', () => {
  const reason = { code: 'its-program', args: { client: 2, reason: { code: 'wakes-many', args: { wasted: 12 } } } };
  const why = verdictOf({ state: 'done', ahead: 0, seed: 1, millis: 1, trials: [{ name: 'calm', sentence: '', asks: ['live'], state: 'done',
    outcome: { run: 'a', clients: 2, findings: [{ property: 'live', verdict: 'violated', reason }] } }] }).words;
  check(why);
  assert.match(why, /1\.2/, 'tenths');
  check(verdictOf({ state: 'failed', ahead: 0, seed: 1, millis: 1, trials: [], reason: { code: 'trial-not-done', args: { trial: 'calm', reason: { code: 'no-answer-from-zookeeper' } } } }).words, new Set(['ZooKeeper', 'calm']));
  check(aboutTrial('done', { run: '', clients: 2, findings: null, notRun: { code: 'needs-own-servers' } }), new Set(['zookeeper']));
});

test('the words of the page are translated', () => {
  check([Object.values(measureWords).map(({ title, definition }) => title + definition), Object.values(actionWords).map(({ title }) => title)]);
  check([Object.values(nexts).map(({ title, words }) => title + words), steps.map(({ before, words }) => before + words)]);
  check([Object.values(reasons), Object.values(goalStates).map(({ name }) => name)]);
  check(measureSentence('wakeups', [{ lane: '‹A›', value: 1 }, { lane: '‹B›', value: 2 }]));
  for (const target of /** @type {const} */ (['client', 'server'])) check(catalogue.faultsOf(target).flatMap((fault) => [fault.title, fault.sentence, ...choicesOf(fault).map(({ title }) => title)]));
});

for (const name of names) {
  test(`${name}: what is told of the run is translated`, () => {
    const { run, events } = recording(name);
    const own = namesOf(events, run.lanes);
    const view = createView(run.lanes, run.clients);
    check([runTitle(run), settingsWords(run)], new Set([...own, 'ms']));
    for (const event of events) {
      apply(view, event);
      check(sentence(event, catalogue), own);
      const caption = view.captions.newest.at(-1);
      if (!caption) continue;
      const { head, rest } = captionWords(caption, view.lanes, catalogue);
      check(textOf([...head, ...rest]), own);
    }
    check([resultSentences(view.lanes, view.at), laneResults(view.lanes, view.at, catalogue)].map((each) => JSON.stringify(each).replace(/"(name|value|bad|figures|violated|others)":|true|false/g, '')), own);
    check(summed(view.captions.newest, view.lanes, catalogue), own);
    for (const lane of view.lanes) for (const client of lane.clients.values()) check([clientWord(client), guestWord(lane, client), stateWord(client.state)], own);
    for (const { line } of spokenLines({ run, events })) check(line, own);
    const sequence = createSequence(run.lanes);
    extend(sequence, events);
    for (const lane of sequence.lanes) for (const item of lane.items.all) check([describe(item, catalogue), label(item, catalogue)], own);
  });
}
