// Records the runs that the tests of the page read, on a real ZooKeeper, each with the
// summary that `playground run -replay` makes of it, and with whom the checks took to believe that it held: `make fixtures`. Names on the command line record those alone.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { busyComparison, Playground } from '../browser/playground.js';
import { names } from './recording.js';

/** Runs that are not of a shipped scenario alone, with a delay of 50 ms and this seed. @type {Record<string, { scenario: object, nodes?: number, faults?: object[], length?: number }>} */
const special = {
  'herd-vs-predecessor': { scenario: { scenario: busyComparison, delay: '50ms' } },
  'many-clients': { scenario: { scenario: busyComparison, clients: 50, delay: '0s' } },
  'dying-session': { scenario: { scenario: 'dying-session', seed: 14 } }, // others may not show the bug
  'stores': { scenario: { scenario: 'stores', delay: '50ms', seed: 5 }, length: 14_000 }, // the last fault comes late
  'kill-leader': { scenario: { scenario: 'predecessor', clients: 4, delay: '20ms' }, nodes: 3, faults: [{ fault: 'kill-leader' }] },
};

/** How long a run goes on when nobody ends it, in milliseconds. */
const LENGTH = 8000;

const program = process.env['PLAYGROUND_BIN'] ?? '';
const run = promisify(execFile);

/** @param {string} name */
async function record(name) {
  const { scenario, nodes, faults = [], length = LENGTH } = special[name] ?? { scenario: { scenario: name, delay: '50ms' } };
  const playground = await Playground.start(nodes ? ['-nodes', String(nodes)] : []);
  try {
    await playground.call('POST', 'run', { seed: 7, ...scenario });
    await wait(length / 4);
    for (const fault of faults) await playground.call('POST', 'faults', fault);
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

/** @param {Playground} playground */
async function finished(playground) {
  while (!(await playground.events()).some(({ kind }) => kind === 'note.finished')) await wait(100);
}

/** @param {number} milliseconds */
const wait = (milliseconds) => new Promise((done) => { setTimeout(done, milliseconds); });

/** Keeps what the server says of its faults and checks, which the words about a run are made of. */
async function keepCatalogue() {
  const playground = await Playground.start(['-nodes', '3']);
  try {
    const { catalogue } = await (await fetch(`${playground.url}/api/scenarios`)).json();
    await writeFile(new URL('fixtures/catalogue.json', import.meta.url), `${JSON.stringify({ ...catalogue, recipes: [] }, null, 1)}\n`);
  } finally {
    await playground.stop();
  }
}

await keepCatalogue();
for (const name of process.argv.length > 2 ? process.argv.slice(2) : names) await record(name);
await run('go', ['generate', './playground/check'], { cwd: new URL('../..', import.meta.url).pathname });
