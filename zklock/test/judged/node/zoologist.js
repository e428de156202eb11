// The LeaderElection of zoologist as a program for playground judge: who leads holds.
const { acquired, released, over, note, serve } = require('./dialogue');
const { Zoologist, LeaderElection } = require('zoologist');

const { PLAYGROUND_SERVER: server, PLAYGROUND_LOCK: lock, PLAYGROUND_SESSION_MS: session } = process.env;
const slash = lock.lastIndexOf('/');
const client = Zoologist.newClient(server, 5, 100, 1000, Number(session));
let election; // of this turn

client.setMaxListeners(0);
client.start();
client.once('connected', () => serve({
  acquire() {
    const own = new LeaderElection(client, lock.slice(0, slash), lock.slice(slash + 1));
    election = own;
    own.on('groupLeader', () => own === election && acquired());
    own.on('error', (error) => { // as its example does
      if (own === election) over(error.message);
      own.withdraw(() => {});
    });
    own.start((error) => error && own === election && over(error));
  },
  release() {
    const own = election;
    own.withdraw((error) => {
      if (error) note(error);
      released();
    });
  },
  close() {
    client.close();
  },
}));
