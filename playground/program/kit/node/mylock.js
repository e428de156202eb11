// A lock on node-zookeeper-client for `playground judge -- node mylock.js`.
const readline = require('readline');
const zookeeper = require('node-zookeeper-client');

const { PLAYGROUND_SERVER: server, PLAYGROUND_LOCK: dir, PLAYGROUND_SESSION_MS: session } = process.env;
const say = (type, why) => process.stdout.write(`${JSON.stringify({ type, why })}\n`);
const { CreateMode: { EPHEMERAL_SEQUENTIAL }, Exception: { NO_NODE, SESSION_EXPIRED } } = zookeeper;
let client, mine; // mine is the znode of this turn
let held = false, wanted = false, heard = 0; // heard is when an answer came last

setInterval(() => { // the client does not notice by itself that nothing comes any more
  if (held) client.exists(dir, (error) => { if (!error) heard = Date.now(); });
  if (Date.now() - heard > session * 2 / 3) lose('silence');
}, session / 6).unref();
function lose(why) { // a holder that is cut off can no longer be sure: it stops at once
  if (held) say('lost', why);
  held = false;
}
function connect() {
  client = zookeeper.createClient(server, { sessionTimeout: Number(session) });
  client.on('disconnected', () => lose('disconnected'));
  client.on('expired', () => {
    lose('expired');
    connect(client.close());
    if (wanted) queueUp();
  });
  client.connect();
}
function queueUp() {
  const own = client; // of the session in which it queues up
  own.create(`${dir}/lock-`, EPHEMERAL_SEQUENTIAL, (error, path) => {
    if (own !== client) return;
    if (error) return setTimeout(queueUp, 100);
    mine = path.slice(dir.length + 1);
    look(own);
  });
}
const remove = (then) => client.remove(`${dir}/${mine}`, (error) => { // what was lost may still be there
  if (error && ![NO_NODE, SESSION_EXPIRED].includes(error.getCode())) setTimeout(remove, 100, then);
  else then();
});
function look(own) {
  own.getChildren(dir, (error, children) => {
    if (own !== client || !wanted) return;
    if (error) return setTimeout(look, 100, own);
    const queue = children.sort((a, b) => a.slice(-10) - b.slice(-10));
    const place = queue.indexOf(mine);
    if (place < 0) return queueUp();
    if (place === 0) return [held, wanted, heard] = [true, false, Date.now()], say('acquired');
    own.exists(`${dir}/${queue[place - 1]}`, () => look(own), (failed, stat) => {
      if (failed || !stat) setTimeout(look, failed ? 100 : 0, own);
    });
  });
}
connect();
readline.createInterface({ input: process.stdin }).on('line', (line) => {
  if (JSON.parse(line).type === 'acquire') return wanted = true, remove(queueUp);
  if (held) remove(() => say('released'));
  held = false;
}).on('close', () => client.close());
