// Runs tests of the page, several files at once: node static/browser/run.js FILE...
// They have one ZooKeeper and one Chromium in common, as both take seconds to start.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { launchServer } from './launch.js';
import { program } from './playground.js';

/** How many files at once: their tests mostly wait. */
const AT_ONCE = 3;
/** No file takes as long as this, in milliseconds, on a busy machine either. */
const LONGEST = 600_000;

const zookeeper = spawn(program(), ['zookeeper', '-port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
const browser = await launchServer();
try {
  const env = { ...process.env, ZK_SERVERS: await addressOf(zookeeper), BROWSER_AT: browser.wsEndpoint() };
  const args = ['--test', `--test-concurrency=${AT_ONCE}`, `--test-timeout=${LONGEST}`, '--test-reporter=spec', ...process.argv.slice(2)];
  [process.exitCode] = await once(spawn(process.execPath, args, { stdio: 'inherit', env }), 'exit');
} finally {
  await browser.close();
  zookeeper.kill('SIGTERM');
  if (zookeeper.exitCode === null) await once(zookeeper, 'exit');
}

/** Where a ZooKeeper listens that has just been started. @param {import('node:child_process').ChildProcessByStdio<null, import('node:stream').Readable, null>} started */
async function addressOf({ stdout }) {
  for await (const line of createInterface({ input: stdout })) {
    const address = line.match(/^zookeeper \S+ on ([^,\s]+)/)?.[1];
    if (address) return address;
  }
  throw new Error('ZooKeeper ended before it listened');
}
