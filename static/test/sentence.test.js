import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Catalogue } from '../js/text/catalogue.js';
import { sentence } from '../js/text/sentence.js';
import { names, recording } from './recording.js';
import { served } from './served.js';

/** @import { Event, Kind } from '../js/events.d.ts' */

const catalogue = new Catalogue(served);
const kinds = /** @type {Kind[]} */ ([...readFileSync(new URL('../js/events.d.ts', import.meta.url), 'utf8')
  .matchAll(/"([a-z]+\.[a-z-]+)"/g)].map(([, kind]) => kind));

test('there is a sentence for every kind of event', () => {
  assert.ok(kinds.length > 30);
  for (const kind of kinds) {
    const text = sentence({ seq: 1, at: 1, kind, client: 2, lane: 'herd' }, catalogue);
    assert.notEqual(text, kind);
    assert.doesNotMatch(text, /undefined|null|NaN/, `${kind}: ${text}`);
  }
});

for (const name of names) {
  test(`${name}: every event reads well`, () => {
    for (const event of recording(name).events) {
      const text = sentence(event, catalogue);
      assert.doesNotMatch(text, /undefined|null|NaN|Somebody|  |\.$/, `${event.seq} ${event.kind}: ${text}`);
    }
  });
}

for (const [event, text] of /** @type {[Partial<Event>, string][]} */ ([
  [{ kind: 'lock.waiting', client: 3, predecessor: '/l/_c_x-lock-0000000017' }, 'Client 3 waits and watches znode 17'],
  [{ kind: 'lock.waiting', client: 3, predecessor: '/l' }, 'Client 3 waits and watches /l'],
  [{ kind: 'lock.acquired', client: 2, mode: 'read', token: 9 }, 'Client 2 holds the lock to read, token 9'],
  [{ kind: 'lock.acquired', client: 2, path: '/playground/rooms/main/x-1/l/lock/_c_ab-lock-0000000001', token: 9 }, 'Client 2 holds the lock, token 9'],
  [{ kind: 'lock.acquired', client: 2, path: '/playground/rooms/main/x-1/l/orders/_c_ab-lock-0000000001', token: 9 }, 'Client 2 holds orders, token 9'],
  [{ kind: 'lock.released', client: 2, path: '/playground/rooms/main/x-1/l/orders/_c_ab-lock-0000000001' }, 'Client 2 releases orders'],
  [{ kind: 'lock.woken', client: 2, path: '/playground/rooms/main/x-1/l/orders/_c_ab-lock-0000000001' }, 'Client 2 is woken in the queue of orders'],
  [{ kind: 'lock.waiting', client: 2, predecessor: '/playground/rooms/main/x-1/l/stock/_c_ab-lock-0000000001' }, 'Client 2 waits and watches znode 01 of stock'],
  [{ kind: 'tree.deleted', path: '/l/a-0000000003', cause: 'expiry' }, 'znode 03 was deleted by the server: the session had expired'],
  [{ kind: 'wire.sent', client: 1, op: 'getChildren', path: '/l', watch: true }, 'Client 1 asks: getChildren /l and set a watch'],
  [{ kind: 'wire.sent', client: 1, op: 'multi', ops: [{ op: 'create' }, { op: 'setData' }] }, 'Client 1 asks: multi of create, setData'],
  [{ kind: 'wire.received', client: 1, op: 'notification', type: 'NodeDeleted', path: '/l/a-0000000003' }, 'Client 1 is notified: NodeDeleted znode 03'],
  [{ kind: 'wire.received', client: 1, op: 'getData', err: 'NoNode', latency: 1500 }, 'Client 1 is answered: getData NoNode after 2 ms'],
  [{ kind: 'fault.injected', client: 2, fault: 'pause', for: 5000, why: 'it stands still' }, 'Client 2: fault injected: Pause for 5.0 s: it stands still'],
  [{ kind: 'fault.injected', server: '127.0.0.1:2181', fault: 'kill-leader' }, 'Server 127.0.0.1:2181: fault injected: Kill the leader'],
  [{ kind: 'fault.healed', fault: 'lose-quorum' }, 'ZooKeeper: fault healed: Lose the quorum'],
  [{ kind: 'fault.injected', client: 2, fault: 'flood' }, 'Client 2: fault injected: flood'],
  [{ kind: 'check.changed', check: 'fifo', verdict: 'violated', why: 'client 2 was first' }, 'Check “First come, first served”: violated: client 2 was first'], // an old recording
  [{ kind: 'check.changed', check: 'fifo', verdict: 'violated', why: 'in English', reason: { code: 'stuck-at-head', args: { client: 2, znode: '/playground/rooms/main/x-1/l/_c_ab-lock-0000000001', span: 3_500_000, event: 12 } } },
    'Check “First come, first served”: violated: client 2 does not hold, though its znode 01 has been at the head of the queue and nothing under way to it for 3.5 s'],
  [{ kind: 'resource.read', client: 1, balance: 100 }, 'Client 1 reads the account: the balance is 100'],
  [{ kind: 'resource.accepted', client: 1, token: 7, read: 100, balance: 110 }, 'The account takes a write of Client 1 with token 7: read 100, wrote 110'],
  [{ kind: 'note.step', held: true }, 'The network is held'],
  [{ kind: 'note.step', held: true, reason: { code: 'replayed', args: { steps: 3 } } }, 'replayed 3 steps'],
  [{ kind: 'note.step' }, 'The network flows'],
  [{ kind: 'note.delay', delay: 250_000 }, 'Each message takes 250 ms each way from now on'],
  [{ kind: 'note.delay' }, 'Messages are not delayed from now on'],
  [{ kind: 'note.started' }, 'The run begins'],
])) {
  test(text, () => assert.equal(sentence(/** @type {Event} */ ({ seq: 1, at: 1, ...event }), catalogue), text));
}
