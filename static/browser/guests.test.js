// Where a program of the visitor's own joins, and what the page says of one that cannot.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { violations } from './axe.js';
import { openPanel } from './drawer.js';
import { launch, open } from './launch.js';
import { Playground } from './playground.js';

/** @import { Browser } from 'playwright-core' */

/** @type {Playground} */ let playground;
/** @type {Browser} */ let browser;

before(async () => { [playground, browser] = await Promise.all([Playground.start(['-guests', '127.0.0.1:0']), launch()]); });
after(async () => { await browser?.close(); await playground?.stop(); });

/** What is no client comes, and is turned away. @param {string} address */
async function come(address) {
  const [host = '', port] = address.split(':');
  const socket = connect(Number(port), host);
  socket.on('error', () => {}).resume().end('no frame of ZooKeeper');
  await new Promise((resolve) => { socket.on('close', resolve); });
}

/** A guest joins by a name, and opens a session. @param {string} address @param {string} name */
async function joinAs(address, name) {
  const [host = '', port] = address.split(':');
  const lines = connect(Number(port), host);
  lines.write(`${JSON.stringify({ type: 'join', name })}\n`);
  const [line] = await once(lines, 'data');
  const session = connect(Number(JSON.parse(String(line)).server.split(':')[1]), host);
  const request = Buffer.alloc(48); // no version, no transaction seen, no session, no password
  request.writeInt32BE(44, 0);
  request.writeInt32BE(10_000, 16);
  request.writeInt32BE(16, 28);
  session.write(request);
  await once(session, 'data');
  return () => { session.destroy(); lines.destroy(); };
}

test('a guest that says who it is goes by its name', async () => {
  const { page, complaints } = await open(browser);
  await playground.call('POST', 'run', { scenario: 'predecessor', clients: 2, delay: '0s' });
  await page.goto(playground.page);
  const { guests: { address } } = await playground.call('GET', 'me');
  const leave = await joinAs(address, 'payments');
  await page.locator('.client[data-client="3"] .state', { hasText: 'payments' }).waitFor();
  leave();
  await playground.call('DELETE', 'run');
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('a run may be left to guests alone', async () => {
  const { page, complaints } = await open(browser);
  await playground.call('POST', 'run', { scenario: 'predecessor', clients: 0, delay: '0s' });
  await page.goto(playground.page);
  assert.equal(await page.locator('.client').count(), 0);
  const { guests: { address } } = await playground.call('GET', 'me');
  const leaves = [await joinAs(address, 'orders'), await joinAs(address, 'stock')];
  await page.locator('.client[data-client="2"] .state', { hasText: 'stock' }).waitFor();
  assert.equal(await page.locator('.client').count(), 2);
  if (process.env['PICTURES']) await page.screenshot({ path: `${process.env['PICTURES']}/alone.png` });
  for (const leave of leaves) leave();
  await playground.call('DELETE', 'run');
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('the console says where a program joins, and why the last one could not', async () => {
  const { page, complaints } = await open(browser, { permissions: ['clipboard-read', 'clipboard-write'] });
  await playground.call('POST', 'run', { scenario: 'predecessor', clients: 2, delay: '0s' });
  await page.goto(playground.page);
  await openPanel(page, 'Console');
  const { guests: { address } } = await playground.call('GET', 'me');
  await page.locator('.console-guests code', { hasText: address }).first().waitFor();
  const pressToCopy = (/** @type {string} */ name) => Promise.all([page.getByRole('button', { name: 'Copied' }).waitFor(), page.getByRole('button', { name }).click()]); // for a moment
  await pressToCopy('Copy the address');
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), address);
  await pressToCopy('Copy the line');
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), `zkCli.sh -server ${address}`);
  await page.locator('.console-guests').getByText('the lock is /lock there').waitFor();
  if (process.env['PICTURES']) await page.screenshot({ path: `${process.env['PICTURES']}/console.png` });
  assert.deepEqual(await violations(page, '#panels'), []);

  await come(address);
  await openPanel(page, 'In words');
  await page.locator('#panel-words').getByText('A guest is turned away').waitFor();

  await playground.call('DELETE', 'run');
  await come(address);
  await openPanel(page, 'Console');
  await page.getByText('The last one was turned away: no run is under way').waitFor();
  assert.deepEqual(complaints, []);
  await page.context().close();
});
