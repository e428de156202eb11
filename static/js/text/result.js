// What a run has come to, when it is over: one sentence, and three figures of each lane.

import { falseBeliefInAll } from '../model/belief.js';
import { lossOf } from '../model/account.js';
import { clientNames, lossSentence } from './account.js';
import { mean, plural, span, titleOf } from './format.js';

/** @import { Lane } from '../model/view.js' */
/** @import { Catalogue } from './catalogue.js' */

/** What is compared: what an account has lost, for how long clients believed falsely, who stood still, or what a release cost. @typedef {'account' | 'belief' | 'progress' | 'cost'} Subject */

/** @typedef {{ name: string, value: string, bad: boolean }} Figure */

/** @typedef {{ name: string, figures: Figure[], violated: string[], others: string }} LaneResult violated: the checks that are, in plain words; others: what the others have found */

/** @param {Lane} lane */
const wakes = ({ rounds: { sums } }) => ({ rounds: sums.rounds, woken: sums.roundWakeups / sums.rounds, wasted: sums.roundWasted / sums.rounds });

/** @param {Lane[]} lanes @returns {Subject} */
function subjectOf(lanes) {
  const violated = (/** @type {string} */ name) => lanes.some(({ checks }) => checks.get(name)?.verdict === 'violated');
  if (lanes.some(({ account }) => account.used)) return 'account';
  if (violated('belief')) return 'belief';
  return violated('progress') ? 'progress' : 'cost';
}

/** What has come of the run, in sentences without their full stops. @param {Lane[]} lanes @param {number} at in microseconds of the run @returns {string[]} */
export function resultSentences(lanes, at) {
  switch (subjectOf(lanes)) {
    case 'account': return eachLane(lanes, accountWords);
    case 'belief': return [`clients believed falsely that they held the lock: ${inLanes(lanes, (lane) => {
      const wrong = falseBeliefInAll(lane, at);
      return wrong ? `for ${span(wrong)}` : 'never';
    }).join(', ')}`];
    case 'progress': return [progressWords(lanes)];
    case 'cost': return [costWords(lanes)];
  }
}

/** @param {Lane} lane */
function accountWords({ account }) {
  const loss = lossOf(account);
  const refused = account.refused ? `; ${plural(account.refused, 'late write')} refused` : '';
  if (loss.lost) return `the account ${lossSentence(loss)}${refused}`;
  return account.accepted ? `nothing is lost: all deposits are in the account${refused}` : 'nobody has deposited';
}

/** Those that stood still come first. @param {Lane[]} lanes */
function progressWords(lanes) {
  const still = (/** @type {Lane} */ { checks }) => checks.get('progress')?.verdict === 'violated';
  return lanes.toSorted((a, b) => Number(still(b)) - Number(still(a))).map((lane) => {
    const { acquisitions } = lane.counters;
    const never = neverHeld(lane);
    return still(lane) ? `${titleOf(lane.info).name} stood still after ${plural(acquisitions, 'acquisition')}${never && `: ${never}`}` : `${titleOf(lane.info).name} came to ${acquisitions}`;
  }).join('; ');
}

/** @param {Lane[]} lanes */
function costWords(lanes) {
  if (!lanes.some((lane) => wakes(lane).rounds)) return 'nobody has released the lock';
  return [...eachLane(lanes, neverHeld), ...eachLane(lanes, stoodStill), ...eachLane(lanes, heldTogether), ...costsOfRelease(lanes)].join('; ');
}

/** @param {Lane[]} lanes */
function costsOfRelease(lanes) {
  const ended = lanes.some(({ rounds: { list } }) => list.some(({ cause, woken }) => cause === 'end' && woken));
  const who = ended ? 'a release, or the end of a holder’s session, woke' : 'a release woke';
  const average = lanes.some((lane) => wakes(lane).rounds > 1) ? ' on average' : '';
  return eachLane(lanes, (lane) => {
    const { rounds, woken, wasted } = wakes(lane);
    if (!rounds) return lane.counters.releases ? 'no release woke anybody' : 'nobody released the lock';
    const vain = `${plain(wasted) === '0' ? 'none' : `${plain(wasted)} of them`} in vain`;
    if (lane.handovers.together > 1 && !lane.info.permits) return `${who} up to ${plural(Math.max(...lane.rounds.list.map((round) => round.woken)), 'client')}, ${vain}`;
    return `${who} ${plain(woken)} ${plain(woken) === '1' ? 'client' : 'clients'}${average}, ${vain}`;
  }).map((words, index, [first = '']) => (index && first.includes(who) ? words.replace(`${who} `, '').replace(average, '') : words));
}

/** Who waited in vain where not each had its turn, or the lock stood still. @param {Lane} lane */
function neverHeld({ checks, clients }) {
  const never = [...clients.values()].filter(({ held, participant }) => !held && !participant).map(({ number }) => number);
  return never.length && ['fifo', 'progress'].some((name) => checks.get(name)?.verdict === 'violated') ? `${clientNames(never)} never held the lock` : '';
}

/** @param {Lane} lane */
const heldTogether = ({ info, handovers: { together } }) => (together > 1 ? `up to ${together} ${info.permits ? 'clients' : 'readers'} held it at the same time` : '');

/** @param {Lane} lane */
const stoodStill = (lane) => (standstill(lane) ? `the lock stood still for up to ${span(standstill(lane))}` : '');

/** Nobody held it for so long though clients waited; 0 where it was no longer than a hand-over may be. @param {Lane} lane */
const standstill = ({ handovers: { longestStandstill } }) => (longestStandstill < 2e6 ? 0 : longestStandstill);

/** A mean as people say it: 7 rather than 7.0. @param {number} value */
const plain = (value) => mean(value).replace(/\.0$/, '');

/** What there is to say of each lane: once when they are alike. @param {Lane[]} lanes @param {(lane: Lane) => string} say */
function eachLane(lanes, say) {
  const said = lanes.map(say);
  if (lanes.length > 1 && said[0] && new Set(said).size < 2) return [`in ${lanes.length === 2 ? 'both lanes' : 'every lane'} ${said[0]}`];
  return said.map((words, index) => (lanes.length > 1 && words ? `in ${titleOf(/** @type {Lane} */ (lanes[index]).info).name} ${words}` : words)).filter(Boolean);
}

/** The same with the lane at the end. @param {Lane[]} lanes @param {(lane: Lane) => string} say */
const inLanes = (lanes, say) => lanes.map((lane) => `${say(lane)}${lanes.length < 2 ? '' : ` in ${titleOf(lane.info).name}`}`);

/** The figures of each lane, and what its checks have found. @param {Lane[]} lanes @param {number} at @param {Catalogue} catalogue @returns {LaneResult[]} */
export function laneResults(lanes, at, catalogue) {
  const subject = subjectOf(lanes);
  return lanes.map((lane) => {
    const found = catalogue.ordered(lane.checks);
    const holding = found.filter(({ verdict }) => verdict === 'holds').length;
    const violated = found.filter(({ verdict }) => verdict === 'violated').map(({ title, violated: words }) => words || `${title}: violated`);
    const open = found.length - holding - violated.length;
    return {
      name: titleOf(lane.info).name, figures: figuresOf(lane, subject, at), violated,
      others: [holding === found.length ? `all ${plural(holding, 'check')} hold` : `${plural(holding, 'check')} ${holding === 1 ? 'holds' : 'hold'}`,
        open ? `${open} undecided` : ''].filter(Boolean).join(', '),
    };
  });
}

/** @param {Lane} lane @param {Subject} subject @param {number} at @returns {Figure[]} */
function figuresOf(lane, subject, at) {
  if (subject === 'account') {
    const { should, is, lost } = lossOf(lane.account);
    return [
      { name: 'should be', value: String(should), bad: false }, { name: 'is', value: String(is), bad: lost > 0 }, { name: 'lost', value: String(lost), bad: lost > 0 },
    ];
  }
  const { requests, acquisitions, releases } = lane.counters;
  const perAcquisition = { name: 'requests per acquisition', value: mean(requests / acquisitions), bad: false };
  if (subject === 'cost') {
    const { woken, wasted } = wakes(lane);
    const { together } = lane.handovers;
    return [
      standstill(lane) ? { name: 'without a holder at most', value: span(standstill(lane)), bad: false } : undefined,
      together > 1 ? { name: lane.info.permits ? 'holders at once' : 'readers at once', value: String(together), bad: false } : undefined,
      { name: 'woken per release', value: mean(woken), bad: false },
      { name: 'in vain per release', value: mean(wasted), bad: wasted >= 0.5 },
      perAcquisition,
    ].filter((figure) => figure !== undefined).slice(0, 3);
  }
  const wrong = falseBeliefInAll(lane, at);
  return [
    { name: acquisitions === 1 ? 'acquisition' : 'acquisitions', value: String(acquisitions), bad: lane.checks.get('progress')?.verdict === 'violated' },
    subject === 'belief' ? { name: 'of false belief', value: wrong ? span(wrong) : '0 s', bad: wrong > 0 } : { name: releases === 1 ? 'release' : 'releases', value: String(releases), bad: false },
    perAcquisition,
  ];
}
