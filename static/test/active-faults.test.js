import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Catalogue } from '../js/text/catalogue.js';
import { activeFaults, createActiveFaults, silenced, stepActiveFaults } from '../js/model/active-faults.js';
import { served } from './served.js';

/** @import { Event } from '../js/events.d.ts' */

const catalogue = new Catalogue(served);

/** @param {string} fault @param {Partial<Event>} [more] @returns {Partial<Event>} */
const injected = (fault, more) => ({ kind: 'fault.injected', fault, ...more });
/** @param {string} fault @returns {Partial<Event>} */
const healed = (fault) => ({ kind: 'fault.healed', fault });

/** The faults after some events, which come at 1 ms. @param {Partial<Event>[]} events */
function after(...events) {
  const faults = createActiveFaults();
  for (const event of events) stepActiveFaults(faults, /** @type {Event} */ ({ seq: 1, at: 1000, client: 1, ...event }));
  return faults;
}

const soon = 2000;
const late = 60_000_000;

/** @type {[string, Partial<Event>[], number, string[]][]} */
const cases = [
  ['a pause goes on', [injected('pause')], late, ['pause']],
  ['until it is healed', [injected('pause'), healed('pause')], soon, []],
  ['faults of other names add up', [injected('pause'), injected('slow')], late, ['pause', 'slow']],
  ['healing one leaves the other', [injected('partition'), injected('slow'), healed('partition')], late, ['slow']],
  ['an expiry is shown for a while', [injected('expire')], soon, ['expire']],
  ['and then no more', [injected('expire')], late, []],
  ['a fault that the server does not name is shown for a while', [injected('flood')], soon, ['flood']],
  ['a crash leaves nothing else', [injected('pause'), injected('crash', { effects: ['ends-process', 'leaves-session'] })], soon, ['crash']],
  ['a new start is shown for a while', [injected('crash', { effects: ['ends-process', 'leaves-session'] }), injected('start-again', { effects: ['starts-process'] })], soon, ['start-again']],
  ['an armed fault is not active', [{ kind: 'fault.armed', fault: 'pause', when: 'hold' }], soon, []],
  ['a reply that is yet to be lost goes on', [injected('lose-reply')], late, ['lose-reply']],
  ['a request that is dropped is not that reply', [injected('lose-reply'), { kind: 'wire.dropped', dir: 'out' }], late, ['lose-reply']],
  ['the reply that was lost is shown for a while', [injected('lose-reply'), { kind: 'wire.dropped', dir: 'in' }, healed('lose-reply')], soon, ['reply-lost']],
  ['a reply that is dropped by itself is no fault', [{ kind: 'wire.dropped', dir: 'in' }], soon, []],
  ['a leader that is killed for a time stays down', [injected('kill-leader', { for: 120_000 })], late, ['kill-leader']],
  ['one that is killed without is back at once', [injected('kill-leader')], late, []],
  ['a quorum is lost until it is healed', [injected('lose-quorum')], late, ['lose-quorum']],
  ['and back then', [injected('lose-quorum'), healed('lose-quorum')], soon, []],
];

for (const [name, events, now, want] of cases) {
  test(name, () => assert.deepEqual(activeFaults(after(...events), catalogue, now).map(({ fault }) => fault), want));
}

test('a length tells when it heals, and the same fault again starts anew', () => {
  assert.equal(after(injected('pause', { for: 5000 })).get('pause')?.until, 1000 + 5_000_000);
  assert.equal(after(injected('pause')).get('pause')?.until, 0);
  assert.equal(after(injected('pause', { for: 1000 }), injected('pause', { for: 2000, at: 9000 })).get('pause')?.until, 9000 + 2_000_000);
});

test('the server does not hear of a client while a fault silences it', () => {
  const silences = injected('pause', { effects: ['excuses', 'silences'] });
  assert.deepEqual([after(silences), after(injected('slow', { effects: ['excuses'] })), after(silences, healed('pause'))].map(silenced), [true, false, false]);
});
