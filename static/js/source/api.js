// The server's JSON interface. Addresses are relative to the lobby, so that the
// playground also works below a path.

import { language, t } from '../text/language.js';

/** @import { Served } from '../text/catalogue.js' */
/** @import { Direction, Run } from '../events.d.ts' */
/** @import { GoalEntry, Judgement, LessonEntry, Room, Scenario } from '../types.d.ts' */

/**
 * What a run is started with; what is left out the scenario decides.
 * @typedef {object} Start
 * @property {string} scenario
 * @property {number} [clients]
 * @property {string} [delay]
 * @property {number} [seed]
 * @property {string} [source] of a lock, which the scenario is then about
 * @property {boolean} [step] begin with the network held
 */

/**
 * A fault to be injected into a client, or without one into the servers, and
 * whatever else its parameters ask for.
 * @typedef {{ fault: string, lane?: string, client?: number } & Record<string, unknown>} FaultRequest
 */

/**
 * @typedef {object} Command
 * @property {'on' | 'off' | 'deliver' | 'next' | 'all' | 'drop' | 'undo'} do
 * @property {string} [lane]
 * @property {number} [client]
 * @property {Direction} [dir]
 * @property {number} [frame]
 */

/**
 * @typedef {object} Scenarios
 * @property {Scenario[]} scenarios
 * @property {Served} [catalogue] what a scenario can name
 * @property {string[]} [serverFaults] empty when ZooKeeper is somebody else's
 * @property {{ clients?: number }} [limits]
 */

/**
 * What is to be judged: without a source, the program that the server was started with; without trials, all for every lock.
 * @typedef {{ source?: string, challenge?: string, trials?: string[], seed?: number }} JudgementOrder
 */

/** Thrown with the server's own sentence, and its code, when it refuses a request. */
export class Refused extends Error {
  /** @param {string} message @param {string} [code] */
  constructor(message, code = '') {
    super(message);
    this.code = code;
  }
}

/** @returns {Promise<Scenarios>} */
export const listScenarios = () => call('GET', 'api/scenarios');

/** @returns {Promise<{ templates: { name: string, title: string, source: string }[], maxBytes: number }>} */
export const listTemplates = () => call('GET', 'api/templates');

/** @returns {Promise<{ lessons: LessonEntry[] }>} */
export const listLessons = () => call('GET', 'api/lessons');

/** @returns {Promise<{ goals: GoalEntry[] }>} */
export const listGoals = () => call('GET', 'api/goals');

/**
 * Where a page is: the lobby's address, and the room, which in the lobby is the one that
 * always exists.
 * @param {string} address of the page
 */
export function placeOf(address) {
  const { origin, pathname } = new URL(address);
  const [, below, room] = /^(.*\/)rooms\/([^/]+)$/.exec(pathname) ?? [];
  return { lobby: origin + (below ?? pathname.replace(/[^/]*$/, '')), room: decodeURIComponent(room ?? 'main'), inLobby: room === undefined };
}

/** Where this page is. Tests have none. */
export const place = placeOf(globalThis.location?.href ?? 'http://localhost/');

/** What the server says of this page's room. @returns {Promise<Room>} */
export const askRoom = () => call('GET', `api/rooms/${place.room}/me`);

/** What the visitor is in the room that always exists: with its own room, and its class, wherever this page is. @returns {Promise<Room>} */
export const askDoors = () => call('GET', 'api/rooms/main/me');

/** How ZooKeeper is, also where that is not well. @returns {Promise<import('../types.d.ts').ZooKeeper | undefined>} */
export const askHealth = async () => (await reach('healthz', {}).then((response) => response.json()).catch(() => ({}))).zookeeper;

/** The runs that a room has, newest first. @param {string} room @returns {Promise<{ runs: { scenario: string, title: string, state: string }[] }>} */
export const listRuns = (room) => call('GET', `api/rooms/${room}/runs`);

/** Makes a room of the visitor's own. @returns {Promise<{ room: string }>} */
export const createRoom = () => call('POST', 'api/rooms');

/** @param {string} code @returns {Promise<{ room: string }>} */
export const joinClass = (code) => call('POST', 'api/classes/join', { code });

/** Ends the visitor's membership in its class. */
export const leaveClass = () => call('POST', 'api/classes/leave');

/** @returns {Promise<{ room: string }>} */
export const openClass = () => call('POST', 'api/classes');

/** @param {{ locked?: boolean, seat?: 'offer' | 'keep' | 'take' | 'free' }} change @returns {Promise<Room>} */
export const changeClass = (change) => call('PATCH', `api/rooms/${place.room}/class`, change);

/** Shows the members of a class what the presenter sees. @param {Omit<import('../types.d.ts').Presented, 'seq'>} what */
export const present = (what) => call('PUT', `api/rooms/${place.room}/presented`, what);

/** @param {string} question @param {number} choice from 0 */
export const vote = (question, choice) => call('POST', `api/rooms/${place.room}/votes`, { question, choice });

/** Takes no more votes on a question. @param {string} question */
export const closeVote = (question) => call('POST', `api/rooms/${place.room}/votes/close`, { question });

/** Ends a vote, and shows everybody how it went. @param {string} question */
export const reveal = (question) => call('POST', `api/rooms/${place.room}/votes/reveal`, { question });

/** Says in the classes of which the visitor is a member which goals it has met. @param {string[]} goals their keys */
export const meetGoals = (goals) => call('POST', 'api/classes/goals', { goals });

export const closeClass = () => call('DELETE', `api/rooms/${place.room}/class`);

/** The picture of the link that joins the class. @param {string} address that the phones are to use */
export const qrAddress = (address) => `${place.lobby}api/rooms/${place.room}/class/qr.svg?address=${encodeURIComponent(address)}`;

/** The file with the votes and goals of the class. */
export const resultsAddress = () => `${place.lobby}api/rooms/${place.room}/class/results?locale=${language.code}`;

/** @param {string} room @param {Start} start */
export const startRun = (room, start) => call('POST', `api/rooms/${room}/run`, start);

/** @returns {Promise<{ name: string, start: string, solution: string }[]>} */
export const listChallenges = async () => (await call('GET', 'api/challenges')).challenges;

/** @param {string} room */
export const stopRun = (room) => call('DELETE', `api/rooms/${room}/run`);

/** The room's newest judgement; undefined before the first. @returns {Promise<Judgement | undefined>} */
export const askJudgement = async () => (await call('GET', `api/rooms/${place.room}/judgement`)).judgement ?? undefined;

/** Begins to judge. @param {JudgementOrder} order @returns {Promise<Judgement>} */
export const startJudgement = async (order) => (await call('POST', `api/rooms/${place.room}/judgement`, order)).judgement;

/** Ends the judgement that is under way. */
export const stopJudgement = () => call('DELETE', `api/rooms/${place.room}/judgement`);

/**
 * The recording of a run that the server has or keeps, undefined when it has none.
 * @param {string} run
 */
export async function fetchRecording(run) {
  let response = await reach(recordingAddress(run), {});
  while (response.status === 429) { // a class that follows one link; each has its turn
    await new Promise((later) => setTimeout(later, 1000 * Number(response.headers.get('retry-after'))));
    response = await reach(recordingAddress(run), {});
  }
  return response.ok ? response.body ?? undefined : undefined;
}

/**
 * The events of a run that goes on, or was the last, from the newest state that is not after an
 * instant, up to one of them; undefined where they cannot be had so.
 * @param {string} run @param {number} at in microseconds of the run @param {number} to its number
 */
export async function fetchEvents(run, at, to) {
  const response = await reach(`api/rooms/${place.room}/events?${new URLSearchParams({ run, at: String(Math.floor(at)), to: String(to) })}`, {});
  return response.ok ? response.body ?? undefined : undefined;
}

/** Where a run can be had as a file. @param {string} run */
export const recordingAddress = (run) => `${place.lobby}api/rooms/${place.room}/recording?run=${encodeURIComponent(run)}`;

/** Where a run can be had as a page that works without a server. @param {string} run */
export const exportAddress = (run) => `${place.lobby}api/rooms/${place.room}/export.html?run=${encodeURIComponent(run)}`;

/**
 * Why a room lets nobody watch: a code, and the server's words; empty when it does, or
 * cannot be asked. A page is not told why its websocket was refused.
 * @param {string} room
 */
export async function whyRefused(room) {
  const response = await fetch(`${place.lobby}api/rooms/${room}/stream`).catch(() => undefined);
  const { error } = await response?.json().catch(() => ({})) ?? {};
  return { code: String(error?.code ?? ''), message: String(error?.message ?? '') };
}

/** Changes how often faults come again, by their names; "0s" is never. @param {string} room @param {Record<string, string>} inject */
export const setInjection = (room, inject) => call('PATCH', `api/rooms/${room}/run`, { inject });

/** @param {string} room @param {string} delay */
export const setDelay = (room, delay) => call('PATCH', `api/rooms/${room}/run`, { delay });

/** @param {string} room @param {FaultRequest} request */
export const injectFault = (room, request) => call('POST', `api/rooms/${room}/faults`, request);

/** Disarms the faults that are armed for a client of a lane, or for whoever comes first. @param {string} room @param {{ lane?: string, client?: number, fault?: string }} which */
export const disarmFaults = (room, which) => call('DELETE', `api/rooms/${room}/faults`, which);

/** @param {string} room @param {Command} command @returns {Promise<{ step?: boolean, steps?: number, run?: Run }>} */
export const step = (room, command) => call('POST', `api/rooms/${room}/steps`, command);

/** A recording of an older playground as one of today. @param {File} file */
export async function upgradeRecording(file) {
  const response = await reach('api/recordings/upgrade', { method: 'POST', body: file });
  if (response.ok && response.body) return response.body;
  const { error } = await response.json().catch(() => ({}));
  throw new Refused(error?.message ?? t`The server answered ${response.status}.`, error?.code);
}

/**
 * A lesson's article, out of its own document.
 * @param {string} slug
 * @returns {Promise<Element>}
 */
export async function fetchLesson(slug) {
  const response = await reach(`lessons/${language.code}/${encodeURIComponent(slug)}`, {});
  if (!response.ok) throw new Refused(t`There is no lesson "${slug}".`);
  const lesson = new DOMParser().parseFromString(await response.text(), 'text/html');
  const article = lesson.querySelector('main article');
  if (!article) throw new Refused(t`The lesson "${slug}" cannot be read.`);
  article.setAttribute('lang', lesson.documentElement.lang); // it may not be translated yet
  return document.adoptNode(article);
}

/**
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 */
async function call(method, path, body) {
  const json = body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const response = await reach(path, { method, ...json });
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  throw new Refused(answer.error?.message ?? t`The server answered ${response.status}.`, answer.error?.code);
}

/** @param {string} path @param {RequestInit} init */
async function reach(path, init) {
  try {
    return await fetch(new URL(path, place.lobby), init);
  } catch {
    throw new Refused(t`The playground does not answer. Is it still running?`);
  }
}
