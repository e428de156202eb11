// Recorded runs at their decisive instants: for the test that those are in sight whom an
// instant is about, and for pictures of all of them.
import { execFile } from 'node:child_process';
import { readFileSync, existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { apply, createView } from '../js/model/view.js';
import { names, recording, text } from '../test/recording.js';
import { open } from './launch.js';
import { program } from './playground.js';

/** @import { Browser, Page } from 'playwright-core' */
/** @import { InstantName } from '../js/events.d.ts' */
/** @import { DecisiveInstant } from '../js/model/instants.js' */

/** The windows in which a viewer must see it: two laptops, a phone, and a larger laptop at 200 %. */
export const sizes = [{ width: 1440, height: 900 }, { width: 1280, height: 720 }, { width: 390, height: 844 }, { width: 720, height: 450 }];

/** The instants that a scenario names, as it is shipped. @param {string} scenario @returns {InstantName[]} */
function decisiveOf(scenario) {
  const file = new URL(`../../playground/scenario/shipped/${scenario}.json`, import.meta.url);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).decisive ?? [] : [];
}

/**
 * A recorded run and its decisive instants, in the order in which they come.
 * @typedef {{ name: string, run: string, decisive: InstantName[], instants: DecisiveInstant[] }} Scene
 */

/** @returns {Scene[]} */
export const scenes = () => names.map((name) => {
  const { run, events } = recording(name);
  const decisive = decisiveOf(run.scenario);
  const { instants } = events.reduce(apply, createView(run.lanes, run.clients, decisive));
  return { name, run: run.id, decisive, instants };
});

/** The largest block of a frame of zstd. */
const BLOCK = 1 << 17;

/** A frame of zstd in which nothing is compressed: recordings are told apart by that. @param {Buffer} bytes */
function frame(bytes) {
  const blocks = Array.from({ length: Math.ceil(bytes.length / BLOCK) }, (_, index) => bytes.subarray(index * BLOCK, (index + 1) * BLOCK));
  const headers = blocks.map(({ length }, index) => {
    const header = Buffer.alloc(3);
    header.writeUIntLE(length * 8 + (index === blocks.length - 1 ? 1 : 0), 0, 3);
    return header;
  });
  return Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38]), ...blocks.flatMap((block, index) => [headers[index] ?? block, block])]);
}

/** A tab in which scenes are shown, one after the other: another tab for each takes twice as long. @param {Browser} browser */
export const openStage = (browser) => open(browser, { viewport: sizes[0] ?? null, offline: true });

/**
 * Shows the page of a recorded run, with the decisive instants that its scenario has now.
 * @param {Page} page @param {string} folder to write it into @param {Scene} scene
 */
export async function show(page, folder, { name, decisive }) {
  const [header = '', ...events] = text(name).split('\n');
  const head = JSON.parse(header);
  const [recorded, file] = [join(folder, `${name}.ndjson.zst`), join(folder, `${name}.html`)];
  await writeFile(recorded, frame(Buffer.from([JSON.stringify({ ...head, run: { ...head.run, decisive } }), ...events].join('\n'))));
  await promisify(execFile)(program(), ['export', recorded, file]);
  await page.goto(pathToFileURL(file).href);
  await page.locator('.lane .client').first().waitFor();
}

/** Goes to an instant in a window of a size, and waits until all is laid out. @param {Page} page @param {Scene} scene @param {DecisiveInstant} instant @param {{ width: number, height: number }} size */
export async function standAt(page, { run }, { at, seq }, size) {
  await page.setViewportSize(size);
  for (const [hash, time] of [[`run=${run}&at=0`, 0], [`run=${run}&at=${at}&seq=${seq}`, at]]) { // from the beginning: what is in sight is to come by itself
    await page.evaluate((to) => { location.hash = to; }, String(hash));
    await page.waitForFunction((wanted) => document.querySelector('[role=slider]')?.getAttribute('aria-valuenow') === wanted, String(Math.round(Number(time) / 1000)));
  }
  await page.evaluate(async () => { for (let frame = 0; frame < 8; frame++) await new Promise((done) => { requestAnimationFrame(done); }); });
}
