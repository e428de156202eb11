import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAfflictions, silenced, stepAfflictions, stepOutages } from '../js/model/afflictions.js';

/** @import { Event } from '../js/events.d.ts' */

/** @param {Partial<Event>} event @returns {Event} */
const at = (event) => /** @type {Event} */ ({ seq: 1, at: 1000, client: 1, ...event });
/** @param {string} fault @param {number} [length] in milliseconds @returns {Partial<Event>} */
const struck = (fault, length) => ({ kind: 'fault.injected', fault, ...(length && { for: length }) });
/** @param {string} fault @returns {Partial<Event>} */
const healed = (fault) => ({ kind: 'fault.healed', fault });

/** What lasts after some events. @param {Partial<Event>[]} events */
function after(...events) {
  const faults = createAfflictions();
  const blows = events.map((event) => stepAfflictions(faults, at(event))?.fault);
  return { faults, names: [...faults.keys()], blow: blows.findLast(Boolean) };
}

/** @type {[string, Partial<Event>[], string[], string | undefined][]} */
const cases = [
  ['a pause lasts', [struck('pause')], ['pause'], undefined],
  ['until it is healed', [struck('pause'), healed('pause')], [], undefined],
  ['faults of other names add up', [struck('pause'), struck('slow')], ['pause', 'slow'], undefined],
  ['healing one leaves the other', [struck('partition'), struck('slow'), healed('partition')], ['slow'], undefined],
  ['heal ends all', [struck('partition-in'), struck('slow'), { kind: 'fault.injected', fault: 'heal' }], [], undefined],
  ['an expiry happens once', [struck('expire')], [], 'expire'],
  ['a deletion by an operator happens once', [struck('delete')], [], 'delete'],
  ['a crash leaves nothing to heal', [struck('pause'), struck('crash')], [], 'crash'],
  ['a set trap waits', [struck('lose-reply')], ['lose-reply'], undefined],
  ['a request that dies does not spring it', [struck('lose-reply'), { kind: 'wire.dropped', dir: 'out' }], ['lose-reply'], undefined],
  ['a reply that dies springs it', [struck('lose-reply'), { kind: 'wire.dropped', dir: 'in' }], [], 'lost-reply'],
  ['a reply that dies without a trap is no fault', [{ kind: 'wire.dropped', dir: 'in' }], [], undefined],
];

for (const [name, events, lasting, blow] of cases) {
  test(name, () => {
    const state = after(...events);
    assert.deepEqual(state.names, lasting);
    assert.equal(state.blow, blow);
  });
}

test('a length tells when it heals, and the same fault again starts anew', () => {
  assert.equal(after(struck('pause', 5000)).faults.get('pause')?.until, 1000 + 5_000_000);
  assert.equal(after(struck('pause')).faults.get('pause')?.until, 0);
  assert.equal(after(struck('pause', 1000), { ...struck('pause', 2000), at: 9000 }).faults.get('pause')?.until, 9000 + 2_000_000);
});

test('the server does not hear of a client that stands still or whose requests are lost', () => {
  const silent = ['pause', 'partition', 'partition-out', 'partition-in', 'slow'].filter((fault) => silenced(after(struck(fault)).faults));
  assert.deepEqual(silent, ['pause', 'partition', 'partition-out']);
});

test('a server that is killed with a length is down until it is healed; a restart is over at once', () => {
  const outages = createAfflictions();
  stepOutages(outages, at({ ...struck('restart'), client: 0 }));
  assert.equal(outages.size, 0);
  stepOutages(outages, at({ ...struck('kill-leader', 3000), client: 0 }));
  stepOutages(outages, at({ ...struck('lose-quorum'), client: 0 }));
  assert.deepEqual([...outages.keys()], ['kill-leader', 'lose-quorum']);
  stepOutages(outages, at(healed('kill-leader')));
  assert.deepEqual([...outages.keys()], ['lose-quorum']);
  stepOutages(outages, at({ ...struck('heal-servers'), client: 0 }));
  assert.equal(outages.size, 0);
});
