// What a run has come to, when it is over: one sentence, and three figures of each lane.

import { falseBeliefInAll } from '../model/belief.js';
import { lossOf } from '../model/account.js';
import { wokenByNoRelease } from '../model/rounds.js';
import { lossSentence } from './account.js';
import { clientNames, mean, span, titleOf } from './format.js';
import { t } from './language.js';

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
    case 'belief': return [t`clients believed falsely that they held the lock: ${inLanes(lanes, (lane) => {
      const wrong = falseBeliefInAll(lane, at);
      return wrong ? t`for ${span(wrong)}` : t`never`;
    }).join(t`, `)}`];
    case 'progress': return [progressWords(lanes)];
    case 'cost': return [costWords(lanes)];
  }
}

/** @param {Lane} lane */
function accountWords({ account }) {
  const loss = lossOf(account);
  const refused = account.refused ? t`; ${account.refused} late write refused|; ${account.refused} late writes refused` : '';
  if (loss.lost) return t`the account ${lossSentence(loss)}${refused}`;
  return account.accepted ? t`nothing is lost: all deposits are in the account${refused}` : t`nobody has deposited`;
}

/** Those that stood still come first. @param {Lane[]} lanes */
function progressWords(lanes) {
  const still = (/** @type {Lane} */ { checks }) => checks.get('progress')?.verdict === 'violated';
  return lanes.toSorted((a, b) => Number(still(b)) - Number(still(a))).map((lane) => {
    const { acquisitions } = lane.counters;
    const { name } = titleOf(lane.info);
    const never = neverHeld(lane) && t`: ${neverHeld(lane)}`;
    return still(lane) ? t`${name} stood still after ${acquisitions} acquisition${never}|${name} stood still after ${acquisitions} acquisitions${never}` : t`${name} came to ${acquisitions}`;
  }).join(t`; `);
}

/** @param {Lane[]} lanes */
function costWords(lanes) {
  if (!lanes.some((lane) => wakes(lane).rounds)) return t`nobody has released the lock`;
  return [...eachLane(lanes, neverHeld), ...eachLane(lanes, stoodStill), ...eachLane(lanes, heldTogether), ...costsOfRelease(lanes), ...eachLane(lanes, wokenOtherwise)].join(t`; `);
}

/** What a release woke; of the lanes after the first, its name is not said again. @param {Lane[]} lanes */
function costsOfRelease(lanes) {
  const ended = lanes.some(({ rounds: { list } }) => list.some(({ cause, woken }) => cause === 'end' && woken));
  const average = lanes.some((lane) => wakes(lane).rounds > 1);
  const full = (/** @type {Lane} */ lane) => (!wakes(lane).rounds ? lane.counters.releases ? t`no release woke anybody` : t`nobody released the lock`
    : ended ? t`a release, or the end of a holder’s session, woke ${wokenWords(lane, average)}` : t`a release woke ${wokenWords(lane, average)}`);
  const named = lanes[0] && wakes(lanes[0]).rounds > 0;
  const alike = new Set(lanes.map(full)).size < 2;
  return eachLane(lanes, (lane) => (alike || !named || lane === lanes[0] || !wakes(lane).rounds ? full(lane) : wokenWords(lane, false)));
}

/** Whom a release woke, on average, and how many of those in vain. @param {Lane} lane @param {boolean} average whether that is said */
function wokenWords(lane, average) {
  const { woken, wasted } = wakes(lane);
  const vain = plain(wasted) === '0' ? t`never for nothing` : t`${plain(wasted)} of them for nothing`;
  if (lane.handovers.together > 1 && !lane.info.permits) {
    const most = Math.max(...lane.rounds.list.map((round) => round.woken));
    return t`up to ${most} client, ${vain}|up to ${most} clients, ${vain}`;
  }
  const count = plain(woken);
  return average ? t`${count} client on average, ${vain}|${count} clients on average, ${vain}` : t`${count} client, ${vain}|${count} clients, ${vain}`;
}

/** Of several that no release had woken. @param {Lane} lane */
const strays = ({ info, rounds }) => (info.permits || wokenByNoRelease(rounds) < 2 ? 0 : wokenByNoRelease(rounds));

/** @param {Lane} lane */
const wokenOtherwise = (lane) => (strays(lane) ? t`${strays(lane)} client woke for nothing though nobody had released the lock|${strays(lane)} clients woke for nothing though nobody had released the lock` : '');

/** Who waited in vain where not each had its turn, or the lock stood still. @param {Lane} lane */
function neverHeld({ checks, clients }) {
  const never = [...clients.values()].filter(({ held, participant }) => !held && !participant).map(({ number }) => number);
  return never.length && ['fifo', 'progress'].some((name) => checks.get(name)?.verdict === 'violated') ? t`${clientNames(never)} never held the lock` : '';
}

/** @param {Lane} lane */
const heldTogether = ({ info, handovers: { together } }) => (together < 2 ? ''
  : info.permits ? t`up to ${together} clients held it at the same time` : t`up to ${together} readers held it at the same time`);

/** @param {Lane} lane */
const stoodStill = (lane) => (standstill(lane) ? t`the lock stood still for up to ${span(standstill(lane))}` : '');

/** Nobody held it for so long though clients waited; 0 where it was no longer than a hand-over may be. @param {Lane} lane */
const standstill = ({ handovers: { longestStandstill } }) => (longestStandstill < 2e6 ? 0 : longestStandstill);

/** A mean as people say it: 7 rather than 7.0. @param {number} value */
const plain = (value) => mean(value).replace(/[.,]0$/, '');

/** What there is to say of each lane: once when they are alike. @param {Lane[]} lanes @param {(lane: Lane) => string} say */
function eachLane(lanes, say) {
  const said = lanes.map(say);
  if (lanes.length > 1 && said[0] && new Set(said).size < 2) return [lanes.length === 2 ? t`in both lanes ${said[0]}` : t`in every lane ${said[0]}`];
  return said.map((words, index) => (lanes.length > 1 && words ? t`in ${titleOf(/** @type {Lane} */ (lanes[index]).info).name} ${words}` : words)).filter(Boolean);
}

/** The same with the lane at the end. @param {Lane[]} lanes @param {(lane: Lane) => string} say */
const inLanes = (lanes, say) => lanes.map((lane) => (lanes.length < 2 ? say(lane) : t`${say(lane)} in ${titleOf(lane.info).name}`));

/** The figures of each lane, and what its checks have found. @param {Lane[]} lanes @param {number} at @param {Catalogue} catalogue @returns {LaneResult[]} */
export function laneResults(lanes, at, catalogue) {
  const subject = subjectOf(lanes);
  return lanes.map((lane) => {
    const found = catalogue.ordered(lane.checks);
    const holding = found.filter(({ verdict }) => verdict === 'holds').length;
    const violated = found.filter(({ verdict }) => verdict === 'violated').map(({ title, violated: words }) => words || t`${title}: violated`);
    const open = found.length - holding - violated.length;
    return {
      name: titleOf(lane.info).name, figures: figuresOf(lane, subject, at), violated,
      others: [holding === found.length ? t`all ${holding} check hold|all ${holding} checks hold` : t`${holding} check holds|${holding} checks hold`,
        open ? t`${open} undecided` : ''].filter(Boolean).join(t`, `),
    };
  });
}

/** @param {Lane} lane @param {Subject} subject @param {number} at @returns {Figure[]} */
function figuresOf(lane, subject, at) {
  if (subject === 'account') {
    const { should, is, lost } = lossOf(lane.account);
    return [
      { name: t`should be`, value: String(should), bad: false }, { name: t`is`, value: String(is), bad: lost > 0 }, { name: t`lost`, value: String(lost), bad: lost > 0 },
    ];
  }
  const { requests, acquisitions, releases } = lane.counters;
  const perAcquisition = { name: t`requests per acquisition`, value: mean(requests / acquisitions), bad: false };
  if (subject === 'cost') {
    const { woken, wasted } = wakes(lane);
    const { together } = lane.handovers;
    return [
      strays(lane) ? { name: t`woken by no release`, value: String(strays(lane)), bad: true } : undefined,
      standstill(lane) ? { name: t`without a holder at most`, value: span(standstill(lane)), bad: false } : undefined,
      together > 1 ? { name: lane.info.permits ? t`holders at once` : t`readers at once`, value: String(together), bad: false } : undefined,
      { name: t`woken per release`, value: mean(woken), bad: false },
      { name: t`for nothing per release`, value: mean(wasted), bad: wasted >= 0.5 },
      perAcquisition,
    ].filter((figure) => figure !== undefined).slice(0, 3);
  }
  const wrong = falseBeliefInAll(lane, at);
  return [
    { name: acquisitions === 1 ? t`acquisition` : t`acquisitions`, value: String(acquisitions), bad: lane.checks.get('progress')?.verdict === 'violated' },
    subject === 'belief' ? { name: t`of false belief`, value: wrong ? span(wrong) : t`${0} s`, bad: wrong > 0 } : { name: releases === 1 ? t`release` : t`releases`, value: String(releases), bad: false },
    perAcquisition,
  ];
}
