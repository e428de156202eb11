// Before a class: who lags behind.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { violations } from './axe.js';
import { launch, open } from './launch.js';
import { Playground } from './playground.js';
import { TcpProxy } from './tcp-proxy.js';

/** @import { Browser, BrowserContextOptions } from 'playwright-core' */

const TOKEN = 'the-token-of-the-test';
const wide = { viewport: { width: 1440, height: 900 } };
const phone = { viewport: { width: 390, height: 844 } };

/** @type {Playground} */ let playground;
/** @type {Browser} */ let browser;

before(async () => { [playground, browser] = await Promise.all([Playground.start(['-teacher-token', TOKEN]), launch()]); });
after(async () => { await browser?.close(); await playground?.stop(); });

/** A teacher who has opened a class, and its code. @param {string} url of the playground */
async function openClass(url) {
  const { page: teacher, complaints } = await open(browser, wide);
  await teacher.goto(`${url}/?teacher=${TOKEN}`);
  await teacher.getByRole('button', { name: 'Open a class' }).press('Enter');
  const dialog = teacher.getByRole('dialog', { name: 'Join this class' });
  const code = (await dialog.locator('.class-code').textContent() ?? '').replace(' ', '');
  await dialog.getByRole('button', { name: 'Close' }).press('Enter');
  await teacher.locator('.lesson h1').waitFor();
  return { teacher, dialog, code, complaints };
}

/** A student of the class. @param {string} url @param {string} code @param {BrowserContextOptions} [options] */
async function joinClass(url, code, options = wide) {
  const { page: student, complaints } = await open(browser, options);
  await student.goto(`${url}/?code=${code}`);
  await student.waitForURL('**/rooms/*');
  await student.getByText('The teacher starts and stops the runs of this class.').or(student.locator('.reading')).first().waitFor({ state: 'attached' });
  return { student, complaints };
}

test('the teacher sees how many are here, and how many of them lag behind', async () => {
  const { teacher, dialog, code, complaints } = await openClass(playground.url);
  const proxy = await TcpProxy.to(playground.url);
  const { student } = await joinClass(proxy.url, code);
  const { student: other } = await joinClass(playground.url, code, phone);
  const number = teacher.locator('#class-open');
  await number.getByText(/^Class: 2 here…$/).waitFor();
  await teacher.getByRole('button', { name: 'Start', exact: true }).press('Enter');
  await student.locator('.client.is-holds').first().waitFor();
  proxy.freeze();
  await number.getByText(/^Class: 2 here, 1 lags behind…$/).waitFor();
  await number.press('Enter');
  await dialog.getByText('What they see is more than two seconds old').waitFor();
  assert.deepEqual([...await violations(teacher, '#class'), ...await violations(teacher, 'header')], []);
  assert.equal(await other.getByText(/lags? behind/).count(), 0, 'the students are not told');
  proxy.cut();
  proxy.restore(); // the page comes back by itself
  await number.getByText(/^Class: 2 here…$/).waitFor();
  await dialog.getByText('What they see is').waitFor({ state: 'detached' });
  assert.deepEqual(complaints, []);
  for (const page of [teacher, student, other]) await page.context().close();
  proxy.close();
});
