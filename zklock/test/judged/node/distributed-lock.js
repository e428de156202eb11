// The lock of distributed-lock that is on ZooKeeper, as a program for playground judge. Its
// service overwrites what it is configured with, so the lock is made without it.
const co = require('co');
const zookeeper = require('node-zookeeper-client');
const { acquired, released, lost, over, note, serve } = require('./dialogue');
const { ZKDistributedReentrantLock } = require('distributed-lock');

const { PLAYGROUND_SERVER: server, PLAYGROUND_LOCK: lock, PLAYGROUND_SESSION_MS: session } = process.env;
const never = 2 ** 31 - 1; // milliseconds
const slash = lock.lastIndexOf('/');
let client;
let current; // the lock of this turn
let left = Promise.resolve(); // when that of the turn before is given back

function connect() {
  client = zookeeper.createClient(server, { sessionTimeout: Number(session) });
  client.on('disconnected', () => lost('disconnected')); // who is cut off can no longer be sure
  client.on('expired', () => {
    over('expired');
    connect();
  });
  client.connect();
}

// leave gives a lock back until it is: what was lost may still be in the queue.
async function leave(own) {
  const { NO_NODE, SESSION_EXPIRED } = zookeeper.Exception;
  for (;;) {
    try {
      return await own.unlockSync();
    } catch (error) {
      if ([NO_NODE, SESSION_EXPIRED].includes(error.getCode?.())) return undefined;
      await new Promise((resolve) => { setTimeout(resolve, 100); });
    }
  }
}

async function acquire(own, limit) {
  await left;
  const timer = limit && setTimeout(() => co(own.cancel()).catch(note), limit);
  try {
    await own.lock(never);
    if (own !== current || !acquired()) leave(own);
  } catch (error) {
    if (own === current) over(error);
  } finally {
    clearTimeout(timer);
  }
}

connect();
serve({
  acquire(limit) {
    if (current) left = leave(current);
    current = new ZKDistributedReentrantLock(client, { area: lock.slice(0, slash) }, lock.slice(slash + 1));
    acquire(current, limit);
  },
  release() {
    leave(current).then(released);
  },
  close() {
    client.close();
    process.exit();
  },
});
