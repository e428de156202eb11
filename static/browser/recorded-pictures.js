// Makes those pictures of the README that are of recorded runs, so that they come out
// the same each time: node static/browser/recorded-pictures.js DIRECTORY
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import gifenc from 'gifenc';
import { fromMenu } from './drawer.js';
import { launch, moving } from './launch.js';
import { exported, goToMark, withoutClipboard } from './recorded-page.js';

/** @import { Page } from 'playwright-core' */

/** What the moving picture shows of its run, in milliseconds of that: a release, and what comes of it. */
const [FROM, TO] = [3150, 4450];
/** How much of the run lies between two of its frames, and how long each is shown, in milliseconds. */
const STEP = 25;
const SHOWN = 100;
/** The last one stays longer. */
const PAUSE = 2500;

const [directory] = process.argv.slice(2);
if (!directory) {
  console.error('usage: node recorded-pictures.js DIRECTORY');
  process.exit(2);
}
const folder = await mkdtemp(join(tmpdir(), 'pictures-'));
const browser = await launch();
try {
  await writeFile(join(directory, 'herd-vs-predecessor.gif'), encode(await herd()));
  for (const theme of /** @type {const} */ (['light', 'dark'])) await diagram(theme, join(directory, `lost-wakeup-${theme}.png`));
} finally {
  await browser.close();
  await rm(folder, { recursive: true, force: true });
}

/** The herd beside the queue, for the moving picture. */
async function herd() {
  const { page, address } = await exported(browser, folder, 'herd-vs-predecessor', { viewport: { width: 1280, height: 720 }, colorScheme: 'light', ...moving });
  await withoutClipboard(page);
  await page.goto(address);
  await page.locator('.lane .client').first().waitFor();
  return film(page);
}

/** The diagram of the wake-up that was missed, when that is found. @param {'light' | 'dark'} colorScheme @param {string} path */
async function diagram(colorScheme, path) {
  const { page, address } = await exported(browser, folder, 'lost-wakeup', { viewport: { width: 1920, height: 900 }, colorScheme });
  await page.goto(address);
  await page.locator('.lane .client').first().waitFor();
  await page.keyboard.press('q');
  await page.locator('#sequence canvas').first().waitFor();
  await goToMark(page, /violated/);
  await page.waitForTimeout(500);
  await page.locator('.sequence-host canvas').first().screenshot({ path });
}

/** @typedef {{ width: number, height: number, pixels: Uint8Array }} Picture four bytes a pixel */

/** Goes from instant to instant by the page's own links, so that each picture is of just that one. @param {Page} page */
async function film(page) {
  await fromMenu(page, 'button', 'Copy link');
  await page.waitForURL(/at=/);
  await page.locator('.alert').evaluate((news) => news.remove());
  const hash = new URLSearchParams(new URL(page.url()).hash.slice(1));
  hash.delete('seq'); // each instant with all its events
  await page.keyboard.press('p'); // before an audience there is no link to be copied
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
