// How znodes, locks and who changes them are called.

import { sequence } from './format.js';
import { t } from './language.js';
import { baseName, sequenceOf } from '../model/queue.js';

/** @import { Event } from '../events.d.ts' */

/**
 * A znode of the queue by its number, any other by the end of its path.
 * @param {string} [path]
 */
export function node(path = '') {
  const name = baseName(path);
  const number = sequenceOf(name);
  if (!Number.isFinite(number)) return `/${name}`;
  return lockName(path) ? t`znode ${sequence(number)} of ${lockName(path)}` : t`znode ${sequence(number)}`;
}

/** What the lock of a znode is called, where a lane has several; else empty. @param {string} [path] of the znode */
export function lockName(path = '') {
  const [, name = ''] = /\/rooms(?:\/[^/]+){3}\/([^/]+)\/[^/]+$/.exec(path) ?? [];
  return name === 'lock' ? '' : name;
}

/** What a lock is acquired for, with a space before it; empty where that is all the same. @param {string} [mode] */
export const modeWords = (mode) => (mode === 'read' ? t` to read` : mode === 'write' ? t` to write` : '');

/** Who made a change of the tree, with a space before it; empty when that is not told. @param {Event} e */
export function by(e) {
  const causes = /** @type {Record<string, string>} */ ({
    client: e.client ? t` by client ${e.client}` : t` by a client`,
    close: t` because client ${e.client ?? '?'} closed its session`,
    expiry: e.client && !e.session ? t` by the server: its time was up` : t` by the server: the session had expired`,
    outsider: t` by somebody else`,
    playground: t` by the playground`,
    unseen: t` while the observer was away`,
  });
  return causes[e.cause ?? ''] ?? '';
}
