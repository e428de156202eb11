// A room of the visitor's own: the one that it has, or else a new one.

import { askDoors, createRoom, place, startRun } from '../source/api.js';
import { writePlace } from '../play/address.js';

/** @import { Start } from '../source/api.js' */

/** Goes to a room; the page's place in the lesson goes along. @param {string} room @param {string} [hash] */
export const enter = (room, hash = '') => location.assign(`${place.lobby}rooms/${room}${hash}`);

/** @returns {Promise<string>} its name */
export const ownRoom = async () => (await askDoors()).own ?? (await createRoom()).room;

/** Goes to the tour, in a room of the visitor's own. */
export const showTour = async () => enter(await ownRoom(), writePlace({ tour: 1 }));

/** Goes to the editor of a lock, which is there, too. */
export const showEditor = async () => enter(await ownRoom(), '#your-lock');

/** Goes on with a lesson there. @param {string} lesson @param {string} scenario */
export const showLesson = async (lesson, scenario) => enter(await ownRoom(), writePlace({ lesson, scenario }));

/** Starts a run in a room of the visitor's own, and goes there. @param {Start} start @param {string} [hash] */
export async function startAlone(start, hash = location.hash) {
  const room = await ownRoom();
  await startRun(room, start);
  enter(room, hash);
}
