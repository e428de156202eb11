// Starts a real playground for the tests of the page, and asks its ZooKeeper
// what is true.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { after } from 'node:test';
import { setTimeout } from 'node:timers/promises';

/** @import { ChildProcess } from 'node:child_process' */

/** The program under test. */
export function program() {
  const path = process.env['PLAYGROUND_BIN'];
  if (!path) throw new Error('PLAYGROUND_BIN is not set: run make browser');
  return path;
}

/** The comparison with short holds, so that much happens. */
export const busyComparison = {
  name: 'busy-comparison', title: 'Herd against predecessor', summary: 'The same clients, twice, in a hurry.',
  lanes: [
    { name: 'herd', title: 'Herd: everyone watches the directory', recipe: 'herd' },
    { name: 'predecessor', title: 'Predecessor: each watches the one ahead', recipe: 'mutex' },
  ],
  clients: 8, session: '6s', delay: '250ms', arrive: '1s', hold: { min: '500ms', max: '900ms' }, think: { min: '100ms', max: '400ms' }, seed: 7,
};

/** The same without a pause, so that a few seconds make a long run. */
export const hastyComparison = { ...busyComparison, hold: { min: '1ms', max: '2ms' }, think: { min: '1ms', max: '2ms' } };

/** Those that were started, to end what a failed test has left. @type {Playground[]} */
const started = [];
if (process.env['NODE_TEST_CONTEXT']) after(() => Promise.all(started.map((each) => each.stop())));

/** A playground that serves on a port of its own, with the ZooKeeper at $ZK_SERVERS or one of its own. */
export class Playground {
  /**
   * @param {ChildProcess} process
   * @param {string} url
   */
  constructor(process, url) {
    this.process = process;
    this.url = url;
    /** What each call says of who calls. @type {Record<string, string>} */ this.headers = {};
  }

  /**
   * Starts one; the caller stops it. Its stderr is copied: a file of tests that is killed would
   * otherwise leave a playground that keeps the file's own stderr open, and the runner waiting.
   * @param {string[]} [flags] of serve
   * @param {NodeJS.ProcessEnv} [env]
   */
  static async start(flags = [], env = process.env) {
    const child = spawn(program(), ['serve', '-addr', '127.0.0.1:0', ...flags], { stdio: ['ignore', 'pipe', 'pipe'], env });
    child.stderr.pipe(process.stderr);
    for await (const line of createInterface({ input: child.stdout })) {
      const url = line.match(/^listening on (http.*)$/)?.[1];
      if (!url) continue;
      const playground = new Playground(child, url);
      started.push(playground);
      return playground;
    }
    throw new Error('the playground ended before it served');
  }

  /** Starts one whose ZooKeeper is its own, so that it can be broken. */
  static startWithServer() {
    const { ZK_SERVERS, ...env } = process.env;
    return Playground.start([], env);
  }

  /** The page of the room that always exists. */
  get page() {
    return `${this.url}/rooms/main`;
  }

  async stop() {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    this.process.kill('SIGTERM');
    await once(this.process, 'exit');
  }

  /**
   * @param {string} method
   * @param {string} path under /api/rooms/main
   * @param {object} [body]
   */
  async call(method, path, body) {
    const headers = { 'content-type': 'application/json', ...this.headers };
    const answer = await fetch(`${this.url}/api/rooms/main/${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  }

  /** The whole log, as the server has it. */
  async events() {
    let answer = await fetch(`${this.url}/api/rooms/main/events`);
    for (; answer.status === 429; answer = await fetch(answer.url)) await setTimeout(100); // it was asked too often
    const text = await answer.text();
    return text.trim().split('\n').map((line) => JSON.parse(line));
  }

  /** @returns {Promise<{ address: string, state: string }>} */
  async zookeeper() {
    return (await (await fetch(`${this.url}/healthz`)).json()).zookeeper;
  }

  /**
   * The ephemeral znodes under a directory, by ZooKeeper's own report, in the
   * order of their numbers.
   * @param {string} directory
   */
  async queue(directory) {
    const { address } = await this.zookeeper();
    const report = await fourLetters(address, 'dump');
    const nodes = report.split('\n').map((line) => line.trim()).filter((line) => line.startsWith(`${directory}/`));
    return nodes.map((node) => Number(node.slice(-10))).sort((a, b) => a - b);
  }

  /** Ends ZooKeeper as a crash would. The playground starts it again. */
  async killZooKeeper() {
    const children = await childrenOf(this.process.pid ?? 0);
    if (children.length !== 1) throw new Error(`the playground has ${children.length} children, want its ZooKeeper alone`);
    process.kill(/** @type {number} */ (children[0]), 'SIGKILL');
  }
}

/** @param {number} parent */
async function childrenOf(parent) {
  const children = [];
  for (const entry of await readdir('/proc')) {
    const stat = /^\d+$/.test(entry) && await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '');
    // pid (name) state ppid: the name may hold anything, so read from its end.
    const parentOf = stat && Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    if (parentOf === parent) children.push(Number(entry));
  }
  return children;
}

/**
 * One of ZooKeeper's four-letter commands.
 * @param {string} address
 * @param {string} word
 */
async function fourLetters(address, word) {
  const [host, port] = address.split(':');
  const socket = connect(Number(port), host);
  socket.end(word);
  let answer = '';
  for await (const chunk of socket) answer += chunk;
  return answer;
}

/**
 * A scenario whose holders hold on, so that a test can look around.
 * @param {object} [changes]
 */
export const longHold = (changes) => ({
  name: 'long-hold', title: 'Long holds', summary: '', clients: 5, session: '10s', delay: '20ms', arrive: '100ms',
  hold: { min: '10m', max: '10m' }, think: { min: '0s', max: '0s' }, seed: 1,
  lanes: [{ name: 'predecessor', title: 'Predecessor', recipe: 'mutex' }], ...changes,
});
