// Makes the moving picture of the README: a recorded run, played slowly by the page
// that `playground export` makes of it.
// node static/browser/moving-picture.js RECORDING OUT.gif
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import gifenc from 'gifenc';
import { launch, open } from './launch.js';

/** @import { Page } from 'playwright-core' */

/** What is shown of the run, in its milliseconds: a release, and what comes of it. */
const [FROM, TO] = [3150, 4450];
/** How much of the run lies between two pictures, and how long each is shown, in milliseconds. */
const STEP = 25;
const SHOWN = 100;
/** The last picture stays longer. */
const PAUSE = 2500;

const [recording, out] = process.argv.slice(2);
if (!recording || !out) {
  console.error('usage: node moving-picture.js RECORDING OUT.gif');
  process.exit(2);
}
const folder = await mkdtemp(join(tmpdir(), 'moving-'));
const browser = await launch();
try {
  const file = join(folder, 'page.html');
  await promisify(execFile)(process.env['PLAYGROUND_BIN'] ?? '', ['export', recording, file]);
  const { page } = await open(browser, { viewport: { width: 1280, height: 720 }, colorScheme: 'light' });
  await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined })); // links go into the address
  await page.goto(pathToFileURL(file).href);
  await page.locator('.lane .client').first().waitFor();
  await page.keyboard.press('p');
  const pictures = await film(page);
  await writeFile(out, encode(pictures));
  console.log(`${out}: ${pictures.length} pictures`);
} finally {
  await browser.close();
  await rm(folder, { recursive: true, force: true });
}

/** @typedef {{ width: number, height: number, pixels: Uint8Array }} Picture four bytes a pixel */

/** Goes from instant to instant by the page's own links, so that each picture is of just that one. @param {Page} page */
async function film(page) {
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.waitForURL(/at=/);
  await page.locator('.alert').evaluate((news) => news.remove());
  const hash = new URLSearchParams(new URL(page.url()).hash.slice(1));
  /** @type {Picture[]} */
  const pictures = [];
  for (let at = FROM; at <= TO; at += STEP) {
    hash.set('at', String(at * 1000));
    await page.evaluate((to) => { location.hash = to; }, String(hash));
    await page.waitForFunction((wanted) => document.querySelector('[role=slider]')?.getAttribute('aria-valuenow') === String(wanted), at);
    pictures.push(await decode(page, await page.screenshot()));
  }
  return pictures;
}

/** @param {Page} page that decodes @param {Buffer} png @returns {Promise<Picture>} */
async function decode(page, png) {
  const { width, height, base64 } = await page.evaluate(async (encoded) => {
    const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes]));
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
    context?.drawImage(image, 0, 0);
    const data = context?.getImageData(0, 0, image.width, image.height).data ?? new Uint8ClampedArray();
    let text = '';
    for (let start = 0; start < data.length; start += 8192) text += String.fromCharCode(...data.subarray(start, start + 8192));
    return { width: image.width, height: image.height, base64: btoa(text) };
  }, png.toString('base64'));
  return { width, height, pixels: new Uint8Array(Buffer.from(base64, 'base64')) };
}

/** Pictures that differ little: of each but the first only the pixels that are new. @param {Picture[]} pictures */
function encode(pictures) {
  const { GIFEncoder, quantize, applyPalette } = gifenc;
  const sample = [pictures[0], pictures[pictures.length >> 1], pictures.at(-1)].flatMap((picture) => picture ? [Buffer.from(picture.pixels)] : []);
  const palette = quantize(Buffer.concat(sample), 255);
  const clear = palette.length;
  const gif = GIFEncoder();
  /** @type {Uint8Array | undefined} */
  let before;
  for (const [index, { width, height, pixels }] of pictures.entries()) {
    const colours = applyPalette(pixels, palette);
    const last = before;
    const news = last ? colours.map((colour, pixel) => (colour === last[pixel] ? clear : colour)) : colours;
    gif.writeFrame(news, width, height, {
      ...(index === 0 && { palette: [...palette, [0, 0, 0]] }),
      transparent: index > 0, transparentIndex: clear, delay: index === pictures.length - 1 ? PAUSE : SHOWN, dispose: 1,
    });
    before = colours;
  }
  gif.finish();
  return gif.bytes();
}
