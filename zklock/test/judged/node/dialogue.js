// The program's side of the dialogue of playground/program, for locks that call back.
const readline = require('node:readline');

const write = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr); // the libraries log there

let stage = 'idle'; // or acquiring, holding, releasing

function say(type, why) {
  write(`${JSON.stringify({ type, why })}\n`);
}

// Each says what happened, if it is news.
exports.acquired = () => {
  if (stage !== 'acquiring') return false;
  stage = 'holding';
  say('acquired');
  return true;
};
exports.released = () => {
  if (stage !== 'releasing') return;
  stage = 'idle';
  say('released');
};
exports.lost = (why) => {
  if (stage !== 'holding' && stage !== 'releasing') return;
  stage = 'idle';
  say('lost', String(why));
};
// over: the lock is not held any more, or will not be.
exports.over = (why) => {
  exports.lost(why);
  if (stage === 'acquiring') say('failed', String(why));
  stage = 'idle';
};
exports.note = (text) => write(`${JSON.stringify({ type: 'note', text: String(text) })}\n`);

// serve calls acquire, with a limit in milliseconds or undefined, and release, for turns,
// and close at the end.
exports.serve = ({ acquire, release, close }) => {
  readline.createInterface({ input: process.stdin }).on('line', (line) => {
    const message = JSON.parse(line);
    if (message.type === 'acquire') {
      stage = 'acquiring';
      acquire(message.deadlineMs);
    } else if (stage === 'holding') {
      stage = 'releasing';
      release();
    }
  }).on('close', close);
};
