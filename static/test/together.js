// Runs tests of the page's modules in one process: node static/test/together.js FILE...
// To read the recorded runs takes longer than most tests, and is done once.
import { resolve } from 'node:path';

for (const file of process.argv.slice(2)) await import(resolve(file));
