// A class of three playgrounds behind one proxy: the one that has it is killed, then each is
// stopped in turn; no member or vote is lost, and a page comes back by itself. Arguments: the
// proxy's address, the teacher's token, and the playgrounds' containers.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { launch, open } from '../static/browser/launch.js';

const [url = '', token = '', ...containers] = process.argv.slice(2);
const STUDENTS = 5;
const PATIENCE = 60_000;

/** @typedef {Map<string, string>} Visitor by its cookies */

/** Asks until it is answered: a room may be on its way to another playground. @param {Visitor} visitor @param {string} method @param {string} path @param {object} [body] */
async function ask(visitor, method, path, body) {
  for (const begun = Date.now(); ; await setTimeout(200)) {
    const response = await fetch(url + path, {
      method, redirect: 'manual', headers: { cookie: [...visitor].map((pair) => pair.join('=')).join('; ') }, ...(body && { body: JSON.stringify(body) }),
    }).catch(() => undefined);
    const text = await response?.text().catch(() => '');
    if (response && response.status < 400) {
      for (const cookie of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = cookie.match(/^([^=]*)=([^;]*)/) ?? [];
        visitor.set(name, value);
      }
      return text?.startsWith('{') ? JSON.parse(text) : undefined;
    }
    assert.ok(!response || response.status >= 500, `${method} ${path}: ${response?.status} ${text}`);
    assert.ok(Date.now() - begun < PATIENCE, `a minute has passed, and ${method} ${path} is not answered`);
  }
}

const docker = (/** @type {string[]} */ ...args) => execFileSync('docker', args, { encoding: 'utf8' });
const owns = (/** @type {string} */ container, /** @type {string} */ room) =>
  docker('exec', container, 'wget', '-q', '-O', '-', 'http://127.0.0.1:8080/metrics').includes(`playground_room_owned{room="${room}"} 1`);

/** @type {Visitor} */ const teacher = new Map();
await ask(teacher, 'GET', `/?teacher=${token}`);
const { room, code } = await ask(teacher, 'POST', '/api/classes', {});
const students = await Promise.all(Array.from({ length: STUDENTS }, async () => {
  /** @type {Visitor} */ const student = new Map();
  await ask(student, 'GET', '/');
  await ask(student, 'POST', '/api/classes/join', { code });
  return student;
}));

/** @param {number} choice */
const vote = (choice) => Promise.all(students.map((student) =>
  ask(student, 'POST', `/api/rooms/${room}/votes`, { question: 'who wakes up?', choice })));

/** Wants all members, and all votes for one. @param {number} choice */
async function complete(choice) {
  const begun = Date.now();
  const me = await ask(teacher, 'GET', `/api/rooms/${room}/me`);
  assert.equal(me.class.members, STUDENTS);
  assert.equal(me.class.votes[0].counts[choice], STUDENTS);
  return `${((Date.now() - begun) / 1000).toFixed(1)} s`;
}

/** Starts a run, and waits until the teacher's page shows its lane. @param {string} scenario */
async function shown(scenario) {
  await ask(teacher, 'POST', `/api/rooms/${room}/run`, { scenario, clients: 3, delay: '5ms' });
  await page.locator(`.lane[data-lane="${scenario}"] .client.is-holds`).first().waitFor({ timeout: PATIENCE });
}

const browser = await launch();
const { page } = await open(browser);
await page.context().addCookies([...teacher].map(([name, value]) => ({ name, value, url })));
await page.goto(`${url}/rooms/${room}`);
await shown('predecessor');

await vote(1);
await complete(1);
const owner = containers.find((container) => owns(container, room)) ?? '';
assert.ok(owner, 'no playground says that it has the class');
docker('kill', owner);
console.log(`killed: the class is back after ${await complete(1)}`);
docker('start', owner);
for (const [index, container] of containers.entries()) {
  const choice = index % 2 === 0 ? 2 : 1;
  await vote(choice);
  docker('stop', '--time', '10', container);
  console.log(`stopped ${index + 1}: the class is there after ${await complete(choice)}`);
  docker('start', container);
}
await shown('herd');
console.log('page: it came back by itself, and shows the next run');
await browser.close();
