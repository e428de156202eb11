// What a release cost: who was woken by it and who by something else, told step by step,
// and on recorded runs as the server counts it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinedSince, newestComplete, underWay } from '../js/model/rounds.js';
import { apply, createView } from '../js/model/view.js';
import { fold, names, recording, summary } from './recording.js';

/** @import { Event } from '../js/events.d.ts' */
/** @import { Lane, View } from '../js/model/view.js' */

const D = '/l';
const node = (/** @type {number} */ number) => `/l/lock-${String(number).padStart(10, '0')}`;

/** A lane that is told of, event by event. */
class Story {
  /** @type {View} */ view = createView([{ name: 'l', title: 'L', recipe: 'herd', path: D, clients: 9 }], 9);
  #seq = 0;

  /** @param {Partial<Event>} event */
  tell(event) {
    const lane = event.kind === 'tree.synced' || event.kind === 'tree.lost' ? undefined : 'l';
    apply(this.view, /** @type {Event} */ ({ seq: ++this.#seq, at: this.#seq, lane, sent: this.#seq - 1, ...event }));
    return this;
  }

  get rounds() {
    return /** @type {Lane} */ (this.view.lanes[0]).rounds;
  }

  /** Each client that joins has the znode of its number, made by the transaction of ten times that. @param {number[]} clients */
  join(...clients) {
    for (const client of clients) {
      this.tell({ kind: 'tree.created', client, path: node(client), cause: 'client' });
      this.tell({ kind: 'wire.received', client, op: 'create', path: node(client), zxid: client * 10 });
    }
    return this;
  }

  /** Clients list the directory and wait for a change of it. @param {number} zxid @param {number} children @param {number[]} clients */
  herd(zxid, children, ...clients) {
    for (const client of clients) {
      this.tell({ kind: 'wire.received', client, op: 'getChildren', path: D, watch: true, zxid, children });
      this.tell({ kind: 'lock.waiting', client, path: node(client), predecessor: D });
    }
    return this;
  }

  /** A client waits for another one's znode to go. @param {number} client @param {number} ahead @param {number} zxid */
  behind(client, ahead, zxid) {
    return this.tell({ kind: 'wire.received', client, op: 'getData', path: node(ahead), watch: true, zxid })
      .tell({ kind: 'lock.waiting', client, path: node(client), predecessor: node(ahead) });
  }

  /** @param {number[]} clients */
  woken(...clients) {
    for (const client of clients) this.tell({ kind: 'lock.woken', client });
    return this;
  }

  /** @param {number} client */
  acquired(client) {
    return this.tell({ kind: 'lock.acquired', client, path: node(client) });
  }

  /** @param {number} client @param {number} zxid */
  released(client, zxid) {
    return this.tell({ kind: 'lock.released', client, path: node(client) })
      .tell({ kind: 'tree.deleted', client, path: node(client), cause: 'client' })
      .tell({ kind: 'wire.held', client, op: 'delete', path: node(client), dir: 'in', zxid });
  }

  /** Everything that is known of the rounds: what began each, woken, acquired, in vain, joined since, and a mark where it is not complete. */
  told() {
    return this.rounds.list.map(({ cause, client, woken, acquired, wasted, joined, complete }) =>
      `${cause} ${client}: ${woken} ${acquired} ${wasted} +${joined}${complete ? '' : ' …'}`);
  }
}

/** Three clients in the queue, the first of which holds. */
const held = () => new Story().join(1, 2, 3).acquired(1);

test('a release wakes the herd, and is complete when everybody has decided', () => {
  const story = held().herd(30, 3, 2, 3).released(1, 40);
  assert.deepEqual(story.told(), ['release 1: 0 0 0 +0 …'], 'those who watch are to be woken yet');
  story.woken(2);
  assert.equal(newestComplete(story.rounds), undefined);
  story.acquired(2);
  assert.deepEqual(story.told(), ['release 1: 1 1 0 +0 …'], 'the other one has not heard yet');
  story.woken(3);
  assert.deepEqual([story.rounds.sums.roundWakeups, story.rounds.sums.roundWasted], [0, 0], 'what is undecided is neither');
  story.herd(40, 2, 3);
  assert.deepEqual(story.told(), ['release 1: 2 1 1 +0']);
  assert.deepEqual(story.rounds.sums, { wakeups: 2, wasted: 1, explained: 2, joining: 0, rounds: 1, roundWakeups: 2, roundWasted: 1 });
});

test('who joins wakes the herd too, and that is no release’s cost', () => {
  const story = held().herd(30, 3, 2, 3).released(1, 35).woken(2, 3).acquired(2).herd(35, 2, 3).join(4).woken(3).herd(40, 3, 3, 4).join(5).woken(3, 4);
  assert.deepEqual(story.told(), ['release 1: 2 1 1 +3']);
  assert.equal(joinedSince(story.rounds, newestComplete(story.rounds)), 3);
  assert.deepEqual([story.rounds.sums.wakeups, story.rounds.sums.joining, story.rounds.sums.roundWakeups], [5, 3, 2]);
});

test('of two changes the first has woken, whatever came between it and the wake-up', () => {
  const story = held().herd(30, 3, 2, 3).join(4).released(1, 45).woken(2, 3).acquired(2);
  assert.deepEqual(story.told(), ['release 1: 0 0 0 +0']);
  assert.equal(story.rounds.sums.joining, 2);
});

test('the newest complete release stays while the next one is under way', () => {
  const story = held().herd(30, 3, 2, 3).released(1, 40).woken(2, 3).acquired(2).herd(40, 2, 3);
  const first = newestComplete(story.rounds);
  assert.equal(underWay(story.rounds), undefined);
  story.released(2, 41);
  assert.equal(newestComplete(story.rounds), first);
  assert.equal(underWay(story.rounds)?.client, 2);
  story.tell({ kind: 'note.stopping' }).woken(3).acquired(3);
  assert.equal(newestComplete(story.rounds), first, 'also after the stop');
});

test('a wake-up that the log tells before its cause is put to it later', () => {
  const story = held().behind(2, 1, 30).woken(2).acquired(2);
  assert.deepEqual([story.rounds.sums.wakeups, story.rounds.sums.explained], [1, 0]);
  story.released(1, 40);
  assert.deepEqual(story.told(), ['release 1: 1 1 0 +0']);
  assert.equal(story.rounds.unexplained.length, 0);
});

test('the end of a session that held, or was first, is a round; that of a waiter is not', () => {
  const gone = (/** @type {number} */ client) => ({ kind: /** @type {const} */ ('tree.deleted'), client, path: node(client), cause: 'expiry' });
  const synced = { kind: /** @type {const} */ ('tree.synced'), zxid: 50 };
  const story = held().behind(2, 1, 30).behind(3, 2, 30).tell(gone(2)).tell(synced).woken(3);
  assert.deepEqual(story.told(), []);
  story.behind(3, 1, 50).tell(gone(1)).tell({ ...synced, zxid: 60 }).woken(3);
  assert.deepEqual(story.told(), ['end 1: 1 0 0 +0 …']);
  story.tell({ kind: 'fault.injected', fault: 'crash', client: 3 }).tell(gone(3)).tell({ ...synced, zxid: 70 });
  assert.deepEqual(story.told(), ['end 1: 1 0 0 +0', 'end 3: 0 0 0 +0'], 'it has not acquired yet, but was first');
  assert.deepEqual([story.rounds.sums.wakeups, story.rounds.sums.explained, story.rounds.sums.roundWakeups, story.rounds.sums.wasted], [2, 2, 1, 1]);
});

test('nobody waits for a client whose session has ended to be woken', () => {
  const story = held().herd(30, 3, 2, 3).tell({ kind: 'tree.deleted', client: 3, path: node(3), cause: 'expiry' }).tell({ kind: 'tree.synced', zxid: 31 });
  story.woken(2).herd(31, 2, 2).released(1, 40).woken(2).acquired(2);
  assert.deepEqual(story.told(), ['release 1: 1 1 0 +0']);
});

test('a lock that is a flag is released by writing, and taken by writing', () => {
  const read = (/** @type {number} */ client, /** @type {number} */ zxid) => /** @type {Partial<Event>[]} */ ([
    { kind: 'wire.received', client, op: 'getData', path: '/l/flag', watch: true, zxid }, { kind: 'lock.waiting', client, predecessor: '/l/flag' }]);
  const wrote = (/** @type {number} */ client, /** @type {number} */ zxid) => /** @type {Partial<Event>[]} */ ([
    { kind: 'tree.changed', path: '/l/flag' }, { kind: 'wire.received', client, op: 'setData', path: '/l/flag', zxid }]);
  const story = new Story().tell({ kind: 'tree.created', client: 1, path: '/l/flag', cause: 'client', zxid: 10 });
  /** @type {Partial<Event>[]} */ const told = [
    ...wrote(1, 20), { kind: 'lock.acquired', client: 1, path: '/l/flag' }, ...read(2, 20), ...read(3, 20),
    { kind: 'lock.released', client: 1, path: '/l/flag' }, ...wrote(1, 30), { kind: 'lock.woken', client: 2 }, { kind: 'lock.woken', client: 3 },
    ...read(3, 30), ...wrote(2, 40), { kind: 'lock.acquired', client: 2, path: '/l/flag' }, { kind: 'lock.woken', client: 3 },
  ];
  for (const event of told) story.tell(event);
  assert.deepEqual(story.told(), ['release 1: 2 1 1 +0']);
  assert.deepEqual([story.rounds.sums.wakeups, story.rounds.sums.explained], [3, 3]);
});

test('a holder’s znode that an operator deletes frees the lock as well', () => {
  const story = held().behind(2, 1, 30).tell({ kind: 'tree.deleted', client: 1, path: node(1), cause: 'outsider' }).tell({ kind: 'tree.synced', zxid: 31 });
  assert.deepEqual(story.woken(2).acquired(2).told(), ['removed 1: 1 1 0 +0']);
});

test('who gives up a place in the queue releases nothing', () => {
  const story = held().behind(2, 1, 30).behind(3, 2, 30)
    .tell({ kind: 'lock.gave-up', client: 2, path: node(2) }).tell({ kind: 'tree.deleted', client: 2, path: node(2), cause: 'client' })
    .tell({ kind: 'wire.received', client: 2, op: 'delete', path: node(2), zxid: 40 }).woken(3).behind(3, 1, 40);
  assert.deepEqual(story.told(), []);
  assert.deepEqual([story.rounds.sums.wakeups, story.rounds.sums.wasted, story.rounds.sums.explained], [1, 1, 1]);
});

test('a client that crashes before it has decided keeps no round open', () => {
  const story = held().herd(30, 3, 2, 3).released(1, 40).woken(2).acquired(2);
  story.tell({ kind: 'fault.injected', fault: 'crash', client: 3 });
  assert.deepEqual(story.told(), ['release 1: 1 1 0 +0']);
});

test('the number of children tells where the zxids do not', () => {
  const between = (/** @type {number} */ children) => held()
    .tell({ kind: 'tree.deleted', client: 1, path: node(1), cause: 'expiry' }) // its zxid may be 31 to 39
    .join(4).herd(35, children, 3).woken(3);
  assert.equal(between(3).rounds.sums.explained, 1);
  assert.deepEqual(between(3).told(), ['end 1: 1 0 0 +0 …'], 'three children: it had not gone yet');
  assert.equal(between(2).rounds.sums.joining, 1, 'two: it had, so it was client 4 that woke');
});

test('what the log told after the server had been asked may be newer than its answer', () => {
  const story = held().tell({ kind: 'tree.deleted', client: 1, path: node(1), cause: 'expiry' }).tell({ kind: 'tree.synced', zxid: 30, sent: 1 });
  story.herd(30, 3, 2, 3).join(4).woken(2, 3);
  assert.deepEqual(story.told(), ['end 1: 2 0 0 +0 …']);
});

test('what nobody saw is not known', () => {
  const story = held().herd(30, 3, 2, 3).tell({ kind: 'tree.lost' }).tell({ kind: 'tree.created', client: 4, path: node(4), cause: 'unseen' })
    .tell({ kind: 'tree.synced', zxid: 60 }).released(1, 70).woken(2, 3).acquired(2);
  assert.deepEqual([story.rounds.sums.wakeups, story.rounds.sums.explained], [2, 0], 'the directory may have changed more than once');
  const chain = held().behind(2, 1, 30).tell({ kind: 'tree.lost' }).tell({ kind: 'tree.synced', zxid: 60 }).released(1, 70).woken(2).acquired(2);
  assert.deepEqual(chain.told(), ['release 1: 1 1 0 +0'], 'but a znode with a number comes only once');
});

test('a wake-up of which the log does not tell the watch has no cause', () => {
  const story = held().tell({ kind: 'lock.waiting', client: 2, path: node(2), predecessor: node(1) }).released(1, 40).woken(2).acquired(2);
  assert.deepEqual(story.told(), ['release 1: 0 0 0 +0']);
  assert.deepEqual([story.rounds.sums.wakeups, story.rounds.sums.explained], [1, 0]);
});

for (const name of names) {
  test(`${name}: every wake-up has its cause, and the sums are the server's`, () => {
    for (const [index, { rounds }] of fold(recording(name)).lanes.entries()) {
      const expected = summary(name).lanes[index];
      const { wakeups, wasted, explained, joining, rounds: complete, roundWakeups, roundWasted } = rounds.sums;
      assert.deepEqual(
        { wakeups, wasted, joining, unexplained: wakeups - explained, rounds: { complete, wakeups: roundWakeups, wastedWakeups: roundWasted } },
        { wakeups: expected.wakeups, wasted: expected.wastedWakeups, joining: expected.wakeupsByJoining,
          unexplained: expected.wakeupsUnexplained, rounds: expected.rounds });
      assert.equal(explained, wakeups);
      assert.equal(rounds.list.reduce((sum, { joined }) => sum + joined, 0) <= joining, true);
    }
  });
}

test('each release of the herd wakes the seven that wait, six in vain; of the chain one', () => {
  const [herd, predecessor] = fold(recording('herd-vs-predecessor')).lanes;
  for (const [lane, figures] of /** @type {const} */ ([[herd, [7, 6]], [predecessor, [1, 0]]])) {
    const complete = lane?.rounds.list.filter((round) => round.complete) ?? [];
    assert.ok(complete.length > 2);
    for (const { woken, wasted } of complete) assert.deepEqual([woken, wasted], figures);
  }
  assert.equal(herd?.rounds.list[0]?.joined, 6, 'who comes back wakes those that wait');
});

test('a crash costs what a release costs', () => {
  const [lane] = fold(recording('ephemeral-crash')).lanes;
  assert.deepEqual(lane?.rounds.list.filter(({ cause }) => cause === 'end').map(({ woken, acquired }) => [woken, acquired]), [[1, 1]]);
});
