// Records the runs that the tests of the page read, on a real ZooKeeper, each with the
// summary that `playground run -replay` makes of it, and with whom the checks took to believe that it held: `make fixtures`. Names on the command line record those alone.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { busyComparison, Playground } from '../browser/playground.js';
import { names } from './recording.js';

/** By-hand for who types as fast as a program. */
const typedScenario = {
  name: 'by-hand', title: 'Be a client', summary: 'Two clients, and who types.', session: '2s', clients: 2, arrive: '0s',
  lanes: [{ name: 'by-hand', title: 'By hand: two clients, and you', recipe: 'mutex' }], hold: { min: '500ms', max: '500ms' }, think: { min: '100ms', max: '100ms' },
};

/** A session is given up by its own clock, and the servers take it back. */
const lostQuorum = {
  name: 'lost-quorum', title: 'ZooKeeper goes away', summary: 'Two of three servers are away for longer than a session lasts.', session: '4s', clients: 2, arrive: '200ms',
  lanes: [{ name: 'predecessor', title: 'Predecessor: each watches the one ahead', recipe: 'mutex' }], hold: { min: '5s', max: '5s' }, think: { min: '200ms', max: '200ms' },
  faults: [{ at: '6s', fault: 'lose-quorum', for: '6s' }],
};

/** Runs that are not of a shipped scenario alone, with a delay of 50 ms and this seed; type: what is done at consoles meanwhile. @type {Record<string, { scenario: object, nodes?: number, faults?: object[], length?: number, type?: (playground: Playground) => Promise<void> }>} */
const special = {
  'herd-vs-predecessor': { scenario: { scenario: busyComparison, delay: '50ms' } },
  'many-clients': { scenario: { scenario: busyComparison, clients: 50, delay: '0s' } },
  'dying-session': { scenario: { scenario: 'dying-session', seed: 14 } }, // others may not show the bug
  'stores': { scenario: { scenario: 'stores', delay: '50ms', seed: 5 }, length: 14_000 }, // the last fault comes late
  'leader-loss': { scenario: { scenario: 'leader-loss', delay: '50ms' }, length: 12_000 }, // so does its fault
  'delayed-write': { scenario: { scenario: 'delayed-write', delay: '50ms' }, length: 12_000 }, // so does the write
  'lost-quorum': { scenario: { scenario: lostQuorum, delay: '20ms' }, nodes: 3, length: 20_000 },
  'by-hand': { scenario: { scenario: typedScenario, delay: '20ms' }, type: typeByHand },
  'kill-leader': { scenario: { scenario: 'predecessor', clients: 4, delay: '20ms' }, nodes: 3, faults: [{ fault: 'kill-leader' }] },
};

/** How long a run goes on when nobody ends it, in milliseconds. */
const LENGTH = 8000;

const program = process.env['PLAYGROUND_BIN'] ?? '';
const run = promisify(execFile);

/** @param {string} name */
async function record(name) {
  const { scenario, nodes, faults = [], length = LENGTH, type } = special[name] ?? { scenario: { scenario: name, delay: '50ms' } };
  const playground = await Playground.start(nodes ? ['-nodes', String(nodes)] : []);
  try {
    await playground.call('POST', 'run', { seed: 7, ...scenario });
    await wait(length / 4);
    for (const fault of faults) await playground.call('POST', 'faults', fault);
    await type?.(playground);
    await wait(length * 3 / 4);
    await playground.call('DELETE', 'run');
    await finished(playground);
    const recording = await fetch(`${playground.url}/api/rooms/main/recording`);
    const file = new URL(`fixtures/${name}.ndjson.zst`, import.meta.url).pathname;
    await writeFile(file, Buffer.from(await recording.arrayBuffer()));
    const { stdout } = await run(program, ['run', '-replay', file]).catch((failure) => failure); // 1 where a bug is shown
    await writeFile(file.replace('.ndjson.zst', '.summary.json'), stdout);
    console.log(`${name}: ${JSON.parse(stdout).events} events`);
  } finally {
    await playground.stop();
  }
}

/**
 * Two visitors at consoles: one queues up, holds, releases, and crashes at its second
 * turn; the other asks for what it may not, and leaves. @param {Playground} playground
 */
async function typeByHand(playground) {
  const [first, second] = [await sit(playground), await sit(playground)];
  const path = async () => (await first.type('create -e -s /lock/lock-')).replace('Created ', '').trim();
  const own = await path();
  await second.type('create -e /lock/lock-');
  await second.type('setAcl / world:anyone:r');
  await second.type('ls -w /lock');
  while (await first.wait(own));
  await wait(500);
  await first.type(`delete ${own}`);
  const again = await path();
  second.socket.close();
  while (await first.wait(again));
  await playground.call('POST', 'faults', { client: 3, fault: 'crash' });
  await wait(3000);
  await playground.call('POST', 'faults', { client: 3, fault: 'start-again' });
  await wait(500);
}

/** Somebody who types at a console. @param {Playground} playground */
async function sit(playground) {
  const socket = new WebSocket(`${playground.url.replace('http', 'ws')}/api/rooms/main/console`);
  /** @type {any[]} */ const frames = [];
  /** @type {() => void} */ let news = () => {};
  socket.onmessage = ({ data }) => { frames.push(JSON.parse(data)); news(); };
  /** The next frame that pleases; those before it are forgotten. @param {(frame: any) => boolean} pleases */
  async function until(pleases) {
    while (!frames.some(pleases)) await new Promise((done) => { news = () => done(undefined); });
    return frames.splice(0, frames.findIndex(pleases) + 1);
  }
  /** What a line is answered. @param {string} line */
  async function type(line) {
    socket.send(JSON.stringify({ line }));
    return (await until(({ done }) => done)).flatMap(({ output }) => (output && output.stream !== 'watch' ? [output.text] : [])).join('');
  }
  await until(({ prompt }) => prompt?.includes('CONNECTED'));
  return {
    socket, type,
    /** Waits until the znode ahead of one's own has gone; says whether there was one. @param {string} own */
    async wait(own) {
      const names = (await type('ls /lock')).trim().slice(1, -1).split(', ').sort((a, b) => a.slice(-10).localeCompare(b.slice(-10)));
      const ahead = names[names.indexOf(own.slice('/lock/'.length)) - 1];
      if (!ahead || !/\d{10}$/.test(ahead)) return false;
      if (!(await type(`stat -w /lock/${ahead}`)).includes('does not exist')) await until(({ output }) => output?.stream === 'watch' && output.text.includes(ahead));
      return true;
    },
  };
}

/** @param {Playground} playground */
async function finished(playground) {
  while (!(await playground.events()).some(({ kind }) => kind === 'note.finished')) await wait(100);
}

/** @param {number} milliseconds */
const wait = (milliseconds) => new Promise((done) => { setTimeout(done, milliseconds); });

for (const name of process.argv.length > 2 ? process.argv.slice(2) : names) await record(name);
await run('go', ['generate', './playground/check'], { cwd: new URL('../..', import.meta.url).pathname });
