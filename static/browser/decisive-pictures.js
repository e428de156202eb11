// Takes a picture of each decisive instant of the recorded runs, in every size and both
// themes: node static/browser/decisive-pictures.js DIRECTORY
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStage, scenes, show, sizes, standAt } from './decisive.js';
import { launch } from './launch.js';

const [directory] = process.argv.slice(2);
if (!directory) {
  console.error('usage: node decisive-pictures.js DIRECTORY');
  process.exit(2);
}
await mkdir(directory, { recursive: true });
const folder = await mkdtemp(join(tmpdir(), 'decisive-'));
const browser = await launch();
try {
  const { page } = await openStage(browser);
  for (const scene of scenes()) {
    await show(page, folder, scene);
    for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
      await page.emulateMedia({ colorScheme });
      for (const size of sizes) {
        for (const instant of scene.instants) {
          await standAt(page, scene, instant, size);
          await page.screenshot({ path: join(directory, `${scene.name}-${instant.name}-${size.width}x${size.height}-${colorScheme}.png`) });
        }
      }
    }
  }
} finally {
  await browser.close();
  await rm(folder, { recursive: true, force: true });
}
