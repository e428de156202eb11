// A part of what a server says that it can do, as GET /api/scenarios has it.

/** @import { Served } from '../js/text/catalogue.js' */
/** @import { FaultKind, Parameter } from '../js/types.d.ts' */

/** @type {Parameter} */
const length = { name: 'for', title: 'For', unit: 'ms', required: false };

/** @param {string} name @param {string} title @returns {FaultKind} */
const lasting = (name, title) => ({
  name, title, sentence: `${title}.`, target: 'client', lasts: true, endless: true, undoneBy: 'heal', parameters: [length],
});

/** @type {Served} */
export const served = {
  faults: [
    lasting('pause', 'Pause'),
    { name: 'crash', title: 'Crash', sentence: 'The process is gone.', target: 'client', lasts: false },
    lasting('partition', 'Partition'),
    { ...lasting('slow', 'Slow'), parameters: [
      { name: 'delay', title: 'Delay', unit: 'ms', choices: ['0', '200'], default: '200', required: false }, { name: 'jitter', title: 'Jitter', unit: 'ms', choices: ['0', '400'], default: '400', required: false }, length] },
    { ...lasting('lose-reply', 'Lose a reply'), parameters: [{ name: 'op', title: 'Request', choices: ['create', 'delete'], required: false }, length] },
    { name: 'expire', title: 'Expire', sentence: 'The server ends the session.', target: 'client', lasts: false },
    { name: 'heal', title: 'Heal', sentence: 'All is well.', target: 'client', lasts: false },
    { name: 'restart', title: 'Restart', sentence: 'Every server is restarted.', target: 'server', lasts: false },
    { name: 'kill-leader', title: 'Kill the leader', sentence: 'It is killed.', target: 'server', lasts: true, undoneBy: 'heal-servers', nodes: 3, parameters: [length] },
    { name: 'lose-quorum', title: 'Lose the quorum', sentence: 'It is lost.', target: 'server', lasts: true, endless: true, undoneBy: 'heal-servers', nodes: 3, parameters: [length] },
    { name: 'heal-servers', title: 'Heal the servers', sentence: 'Every server runs.', target: 'server', lasts: false },
  ],
  recipes: [{ name: 'mutex', title: 'Mutex', sentence: 'Each waiter watches the znode ahead.', code: [] }],
  checks: [{ name: 'fifo', title: 'First come, first served', sentence: 'In order.', violated: 'Out of order' }],
};
