import { chromium } from 'playwright-core';
import { spawn } from 'node:child_process';
const out = '/tmp/lb-look'; 
const server = spawn('bin/playground', ['serve', '-addr', '127.0.0.1:0'], { stdio: ['ignore', 'pipe', 'ignore'] });
let url = '';
for await (const d of server.stdout) { const m = String(d).match(/listening on (http:\S+)/); if (m) { url = m[1]; break; } }
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] });
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(`${url}/#lesson=timeouts`);
  await page.locator('.lesson h1').waitFor();
  const card = page.locator('.run-card', { has: page.getByRole('heading', { name: 'Three time limits', exact: true }) });
  await card.getByRole('button', { name: 'Run this' }).click();
  await page.locator('.client.is-holds').waitFor();
  await page.locator('.run-bar').focus().catch(() => {});
  await page.keyboard.press('z');
  await page.locator('.console-join').press('Enter');
  const label = page.locator('.console-line label');
  await label.filter({ hasText: 'CONNECTED' }).waitFor();
  const type = async (line) => { await page.locator('.console-line input').focus(); await page.keyboard.type(line); await page.keyboard.press('Enter'); await page.waitForTimeout(1200); };
  const goal = page.locator('.goal[data-check="timeouts/outwaited"]');
  const why = async (w) => console.log(w, '|', await goal.getAttribute('data-state'), '|', await goal.locator('.goal-why').textContent());
  await why('at first');
  await type('create -e /lock/mine'); await why('ephemeral only');
  await type('delete /lock/mine');
  await type('create -e -s /lock/lock-'); await why('queued');
  await goal.scrollIntoViewIfNeeded();
  await page.waitForTimeout(9000); await why('waiting');
  await page.screenshot({ path: `${out}-1440-wait.png` });
  await page.waitForFunction(() => document.querySelectorAll('.goal[data-check="timeouts/outwaited"] li.is-done').length >= 2, undefined, { timeout: 60000 });
  await why('3 gave up');
  await type('quit'); await page.waitForFunction(() => document.querySelector('.goal[data-check="timeouts/outwaited"]').dataset.state === 'met', undefined, { timeout: 60000 });
  await why('end');
  await goal.scrollIntoViewIfNeeded();
  await page.screenshot({ path: `${out}-1440-met.png` });
  const two = page.locator('.goal[data-check="timeouts/place-lost"]');
  console.log(await two.locator('.goal-why').textContent());
  await page.locator('.lane .client[data-client="3"]').hover();
  await page.locator('.lane .client[data-client="3"] .break').click();
  await page.locator('.fault-when select').selectOption('wait');
  await page.screenshot({ path: `${out}-1440-menu.png` });
  await page.locator('.fault-item[data-fault="delete"]').click();
  await page.waitForFunction(() => document.querySelector('.goal[data-check="timeouts/place-lost"]').dataset.state === 'met', undefined, { timeout: 60000 });
  console.log(await two.locator('.goal-why').textContent());
  for (const slug of (process.env.SLUGS ?? 'herd-effect one-ahead ephemeral-nodes timeouts read-write-locks reentrant semaphore').split(' ')) {
    const phone = await browser.newPage({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
    await phone.goto(`${url}/#lesson=${slug}`);
    await phone.locator('.lesson h1').waitFor({ state: 'attached' });
    await phone.locator('#dock').getByRole('button', { name: 'Lesson' }).tap();
    await phone.waitForTimeout(500);
    const wide = await phone.evaluate(() => [document.documentElement.scrollWidth, [...document.querySelectorAll('.lesson *')].filter((e) => e.getBoundingClientRect().right > innerWidth + 1 && e.checkVisibility()).slice(0, 5).map((e) => `${e.tagName}.${e.className} ${e.textContent.slice(0, 40)}`)]);
    console.log(slug, JSON.stringify(wide));
    if (slug === 'semaphore') { await phone.locator('.lesson table').scrollIntoViewIfNeeded(); await phone.screenshot({ path: `${out}-390-table.png` }); }
    if (slug === 'ephemeral-nodes') { await phone.locator('.goal').nth(1).scrollIntoViewIfNeeded(); await phone.screenshot({ path: `${out}-390-goal.png` }); }
    await phone.close();
  }
} finally { await browser.close(); server.kill('SIGTERM'); }
