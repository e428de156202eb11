// The lines of the tree in words.

import { titleOf } from '../../text/format.js';
import { t } from '../../text/language.js';

/** @import { Znode } from '../../model/tree.js' */
/** @import { Lane } from '../../model/view.js' */
/** @import { WatchedPart } from '../../model/watches.js' */

/** What a line shows. @typedef {{ path: string, name: string, kind: string, znode: Znode | undefined, watches: { client: number, watch: { on: WatchedPart, fired: boolean } }[], children: number, count: number }} Told */

/** @type {Record<WatchedPart, string>} */
const parts = { data: t`data`, children: t`children`, persistent: t`data and children, each time`, recursive: t`all below, each time` };

/** What of a znode a watch is on. @param {WatchedPart} on */
export const partWord = (on) => parts[on];

/** Why a znode has gone. @param {Znode} znode */
export function wentWords({ gone }) {
  const { cause = '', by = 0 } = gone ?? {};
  if (cause === 'client') return by ? t`deleted by client ${by}` : t`deleted`;
  if (cause === 'close' || cause === 'expiry') return t`gone: the session of client ${by} has ended`;
  return cause === 'unseen' ? t`gone while the observer was away` : t`deleted by the server or an outsider`;
}

/** @param {Told} line @param {Lane} lane @param {string} left until the session of its owner ends */
export function lineWords({ path, name, kind, znode, watches, children, count }, lane, left) {
  if (kind === 'more') return t`and ${count} more`;
  const what = name === '/' ? t`the root of ${titleOf(lane.info).name}` : path.slice(lane.tree.root.length);
  const words = [
    kind === 'ghost' ? t`is not there` : kind === 'made' ? t`made by the run` : '',
    kind === 'gone' && znode ? wentWords(znode) : '',
    kind === 'znode' && znode ? [znode.session ? t`ephemeral, of client ${znode.client}` : t`persistent`, znode.flags.includes('sequential') ? t`sequential` : '', znode.data ? t`holds “${znode.data}”` : '',
      left ? t`goes in ${left}` : ''].filter(Boolean).join(t`, `) : '',
    children && kind !== 'root' ? t`${children} child|${children} children` : '',
    ...watches.filter(({ watch }) => !watch.fired).map(({ client, watch }) => t`watched by client ${client}: ${partWord(watch.on)}`),
  ];
  return [what, ...words.filter(Boolean)].join(t`, `);
}
