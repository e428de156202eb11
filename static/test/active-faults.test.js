import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createActiveFaults, silenced, stepActiveFaults, stepOutages } from '../js/model/active-faults.js';

/** @import { Event } from '../js/events.d.ts' */

/** @param {Partial<Event>} event @returns {Event} */
const at = (event) => /** @type {Event} */ ({ seq: 1, at: 1000, client: 1, ...event });
/** @param {string} fault @param {number} [length] in milliseconds @returns {Partial<Event>} */
const injected = (fault, length) => ({ kind: 'fault.injected', fault, ...(length && { for: length }) });
/** @param {string} fault @returns {Partial<Event>} */
const healed = (fault) => ({ kind: 'fault.healed', fault });

/** What lasts after some events. @param {Partial<Event>[]} events */
function after(...events) {
  const faults = createActiveFaults();
  const momentary = events.map((event) => stepActiveFaults(faults, at(event))?.fault);
  return { faults, names: [...faults.keys()], momentary: momentary.findLast(Boolean) };
}

/** @type {[string, Partial<Event>[], string[], string | undefined][]} */
const cases = [
  ['a pause lasts', [injected('pause')], ['pause'], undefined],
  ['until it is healed', [injected('pause'), healed('pause')], [], undefined],
  ['faults of other names add up', [injected('pause'), injected('slow')], ['pause', 'slow'], undefined],
  ['healing one leaves the other', [injected('partition'), injected('slow'), healed('partition')], ['slow'], undefined],
  ['heal ends all', [injected('partition-in'), injected('slow'), { kind: 'fault.injected', fault: 'heal' }], [], undefined],
  ['an expiry happens once', [injected('expire')], [], 'expire'],
  ['a deletion by an operator happens once', [injected('delete')], [], 'delete'],
  ['a crash leaves nothing to heal', [injected('pause'), injected('crash')], [], 'crash'],
  ['a set trap waits', [injected('lose-reply')], ['lose-reply'], undefined],
  ['a request that dies does not spring it', [injected('lose-reply'), { kind: 'wire.dropped', dir: 'out' }], ['lose-reply'], undefined],
  ['a reply that dies springs it', [injected('lose-reply'), { kind: 'wire.dropped', dir: 'in' }], [], 'lost-reply'],
  ['a reply that dies without a trap is no fault', [{ kind: 'wire.dropped', dir: 'in' }], [], undefined],
];

for (const [name, events, lasting, momentary] of cases) {
  test(name, () => {
    const state = after(...events);
    assert.deepEqual(state.names, lasting);
    assert.equal(state.momentary, momentary);
  });
}

test('a length tells when it heals, and the same fault again starts anew', () => {
  assert.equal(after(injected('pause', 5000)).faults.get('pause')?.until, 1000 + 5_000_000);
  assert.equal(after(injected('pause')).faults.get('pause')?.until, 0);
  assert.equal(after(injected('pause', 1000), { ...injected('pause', 2000), at: 9000 }).faults.get('pause')?.until, 9000 + 2_000_000);
});

test('the server does not hear of a client that stands still or whose requests are lost', () => {
  const silent = ['pause', 'partition', 'partition-out', 'partition-in', 'slow'].filter((fault) => silenced(after(injected(fault)).faults));
  assert.deepEqual(silent, ['pause', 'partition', 'partition-out']);
});

test('a server that is killed with a length is down until it is healed; a restart is over at once', () => {
  const outages = createActiveFaults();
  stepOutages(outages, at({ ...injected('restart'), client: 0 }));
  assert.equal(outages.size, 0);
  stepOutages(outages, at({ ...injected('kill-leader', 3000), client: 0 }));
  stepOutages(outages, at({ ...injected('lose-quorum'), client: 0 }));
  assert.deepEqual([...outages.keys()], ['kill-leader', 'lose-quorum']);
  stepOutages(outages, at(healed('kill-leader')));
  assert.deepEqual([...outages.keys()], ['lose-quorum']);
  stepOutages(outages, at({ ...injected('heal-servers'), client: 0 }));
  assert.equal(outages.size, 0);
});
