// Goes through what docker-compose.yml has started: every fault of a client, the page in
// Chromium, and ZooKeeper's container killed under a run. Arguments: the playground's
// address, the container of the ZooKeeper to be killed, the teacher's token, and how many
// ZooKeepers there are.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { launch, open } from '../static/browser/launch.js';
import { Playground } from '../static/browser/playground.js';

const [url = '', container = '', token = '', servers = '1'] = process.argv.slice(2);
const playground = new Playground(/** @type {import('node:child_process').ChildProcess} */ ({}), url);
const PATIENCE = 60_000;

/** @param {string} what is waited for @param {() => Promise<unknown>} is */
async function until(what, is) {
  for (const begun = Date.now(); !await is().catch(() => false); await setTimeout(200)) {
    assert.ok(Date.now() - begun < PATIENCE, `a minute has passed, and not yet ${what}`);
  }
}

/** @param {(event: any) => boolean} is */
const happened = async (is) => (await playground.events()).some(is);

/** Whether somebody got the lock after an event. @param {number} seq */
const goesOn = (seq) => until('has anybody got the lock again', () => happened((event) => event.seq > seq && event.kind === 'lock.acquired'));

const last = async () => (await playground.events()).at(-1).seq;

async function faults() {
  const { catalogue, serverFaults } = await (await fetch(`${url}/api/scenarios`)).json();
  await playground.call('POST', 'run', { scenario: 'predecessor', clients: 4, delay: '5ms' });
  await until('does the lane hold', () => happened(({ kind }) => kind === 'lock.acquired'));
  const client = 2;
  const inject = (/** @type {string} */ fault) => until(`is ${fault} possible`, () => playground.call('POST', 'faults', { client, fault, ...(fault === 'slow' && { delay: '50ms' }) }));
  const ofClients = catalogue.faults.filter((/** @type {any} */ { name, target }) => target === 'client' && !['heal', 'start-again'].includes(name));
  for (const { name, lasts, effects = [] } of ofClients) {
    await inject(name);
    await until(`is ${name} told`, () => happened((event) => event.kind === 'fault.injected' && event.fault === name));
    if (lasts) await inject('heal');
    else if (effects.includes('ends-process')) await inject('start-again');
  }
  await goesOn(await last());
  assert.ok(!serverFaults?.length, 'it offers to break servers that are not its own');
  await assert.rejects(playground.call('POST', 'faults', { fault: 'restart' }), /40[0-9]/);
  await playground.call('DELETE', 'run');
  await until('is the run over', () => happened(({ kind, check }) => kind === 'check.changed' && check === 'orphans'));
  const violated = (await playground.events()).filter(({ kind, verdict, check }) => kind === 'check.changed' && verdict === 'violated' && check !== 'fifo');
  assert.deepEqual(violated.map(({ check, why }) => `${check}: ${why}`), []);
  console.log(`faults: ${ofClients.map((/** @type {any} */ { name }) => name).join(', ')}`);
}

async function page() {
  const browser = await launch();
  try {
    const { page, complaints } = await open(browser);
    await page.goto(url);
    await page.locator('#front').getByRole('button', { name: /^Run / }).click();
    await page.locator('.lane .client.is-holds').first().waitFor({ timeout: PATIENCE });
    mkdirSync('test-results', { recursive: true });
    await page.screenshot({ path: 'test-results/docker-smoke.png' });
    assert.deepEqual(complaints, []);
    console.log('page: a run from the front page, nothing to complain about');
  } finally {
    await browser.close();
  }
}

async function killed() {
  await playground.call('POST', 'run', { scenario: 'predecessor', clients: 4, delay: '5ms' });
  await until('does the lane hold', () => happened(({ kind }) => kind === 'lock.acquired'));
  execFileSync('docker', ['kill', container]);
  if (servers === '1') await until('is it told that ZooKeeper is away', async () => (await playground.zookeeper()).state !== 'live');
  else await goesOn(await last()); // the others serve
  const before = await last();
  execFileSync('docker', ['start', container]);
  await until('is ZooKeeper live', async () => (await playground.zookeeper()).state === 'live');
  await goesOn(before);
  await playground.call('DELETE', 'run');
  console.log('zookeeper: killed and started again, the run went on');
}

const { headers } = await fetch(`${url}/?teacher=${token}`, { redirect: 'manual' });
playground.headers = { cookie: headers.getSetCookie().map((each) => each.split(';')[0]).join('; ') };
await faults();
await page();
await killed();
