// What can be broken: the faults in the order of their menu, each with the
// sentence that a visitor reads, and why one is not possible now.

/** @import { App } from './app.js' */
/** @import { Client } from './model/client.js' */
/** @import { Lane } from './model/view.js' */

/**
 * @typedef {object} Fault
 * @property {string} name as the server knows it
 * @property {string} title
 * @property {string} text what it does, in one sentence
 */

/** @typedef {{ title: string, faults: Fault[] }} Group */

/** @type {Group[]} */
const ofClients = [
  { title: 'The process', faults: [
    { name: 'pause', title: 'Pause', text: 'It stands still, as in a long garbage collection.' },
    { name: 'crash', title: 'Crash', text: 'Its znode stays until the session times out.' },
    { name: 'close', title: 'Close', text: 'It ends its session in good order and is gone.' },
  ] },
  { title: 'The network', faults: [
    { name: 'partition', title: 'Cut both ways', text: 'Nothing passes in either direction; it arrives late, on heal.' },
    { name: 'partition-out', title: 'Cut requests', text: 'What it sends arrives late, on heal; it still hears the server.' },
    { name: 'partition-in', title: 'Cut answers', text: 'Its requests are done; the answers arrive late, on heal.' },
    { name: 'slow', title: 'Slow down', text: 'Each message takes 0.2 s to 0.6 s longer.' },
    { name: 'lose-reply', title: 'Lose a reply', text: 'Its next create or delete is done; the reply is lost with the connection.' },
  ] },
  { title: 'The server’s side', faults: [
    { name: 'expire', title: 'Expire', text: 'The server ends its session, behind its back.' },
    { name: 'delete', title: 'Delete the znode', text: 'An operator deletes its newest znode.' },
  ] },
];

/** @type {Group} */
const mend = { title: 'Mend', faults: [{ name: 'heal', title: 'Heal', text: 'End everything that lasts.' }] };

/** @type {Group[]} */
const ofServers = [
  { title: 'ZooKeeper', faults: [
    { name: 'restart', title: 'Restart every server', text: 'All servers are killed and started again; sessions and znodes stay.' },
    { name: 'kill-follower', title: 'Kill a follower', text: 'One server that does not lead is killed; its clients move to another.' },
    { name: 'kill-leader', title: 'Kill the leader', text: 'One server, the leader, is killed; nobody is served until the others have elected a new one.' },
    { name: 'lose-quorum', title: 'Lose the quorum', text: 'All servers but one are killed; alone, that one serves nobody.' },
  ] },
  { title: 'Mend', faults: [{ name: 'heal-servers', title: 'Heal', text: 'Every server is started again.' }] },
];

/** How long a lasting fault lasts, in seconds; 0 is until it is healed. */
export const LENGTHS = [1, 3, 5, 10, 30, 0];

/** What slow is asked for, beyond the chosen length. */
export const SLOW = { delay: '200ms', jitter: '400ms' };

/** The groups of a client's menu. @param {string[]} known what the server can do @returns {Group[]} */
export const clientFaults = (known) => only([...ofClients, mend], known);

/** The groups of the servers' menu. @param {string[]} known @returns {Group[]} */
export const serverFaults = (known) => only(ofServers, known);

/** @param {Group[]} groups @param {string[]} known */
const only = (groups, known) => groups
  .map(({ title, faults }) => ({ title, faults: faults.filter(({ name }) => known.includes(name)) }))
  .filter(({ faults }) => faults.length);

/**
 * Why nothing can be done to a client now, or empty.
 * @param {App} app
 * @param {Client} client
 */
export function refusal(app, client) {
  if (app.run?.state !== 'running') return 'no run is going';
  if (client.state === 'crashed') return 'its process is gone';
  return client.state === 'closed' ? 'it has closed its session and is gone' : '';
}

const needSession = new Set(['expire', 'close', 'lose-reply', 'delete', 'crash', 'pause']);

/**
 * Why one fault is not possible for a client now, or empty.
 * @param {App} app
 * @param {Lane} lane
 * @param {Client} client
 * @param {string} fault
 */
export function impossible(app, lane, client, fault) {
  const general = refusal(app, client);
  if (general) return general;
  if (fault === 'heal') return client.faults.size ? '' : 'nothing that lasts is broken';
  if (needSession.has(fault) && !client.session) return 'it has no session';
  if (fault === 'delete' && !lane.queue.nodes.some((node) => node.client === client.number)) return 'it has no znode';
  return '';
}

/**
 * Why one fault of the servers is not possible now, or empty.
 * @param {App} app
 * @param {string} fault
 */
export function impossibleForServers(app, fault) {
  const nodes = app.run?.zookeeper.nodes ?? 1;
  if (app.run?.state !== 'running') return 'no run is going';
  if (fault === 'heal-servers') return app.view.outages.size ? '' : 'nothing that lasts is broken';
  return fault !== 'restart' && nodes < 3 ? 'there is one server: start with -nodes 3' : '';
}
