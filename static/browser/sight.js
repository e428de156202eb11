// What of the page a visitor sees without scrolling.

/** @import { Page } from 'playwright-core' */

/** After so many frames all is drawn for the size that it has, and after so many it must be: a panel's style sheet may come late. */
const [DRAWN, LATEST] = [3, 60];

/**
 * What is wrong in the page, in words, once all is drawn for the size that it has.
 * @param {Page} page @param {(selectors: string[]) => string[]} find @param {string[]} [selectors]
 */
export async function onceDrawn(page, find, selectors = []) {
  for (let frame = 1; ; frame++) {
    await page.evaluate(() => new Promise((done) => { requestAnimationFrame(done); }));
    if (frame < DRAWN) continue;
    const wrong = await page.evaluate(find, selectors);
    if (!wrong.length || frame >= LATEST) return wrong;
  }
}

/** What of some elements is not in sight, in words. @param {Page} page @param {string[]} selectors */
export const outOfSight = (page, selectors) => onceDrawn(page, measure, selectors);

/** @param {string[]} selectors */
const measure = (selectors) => selectors.flatMap((selector) =>
  [...document.querySelectorAll(selector)].flatMap((element) => {
    const { top, bottom, left, right } = element.getBoundingClientRect();
    const frame = element.closest('.lanes')?.getBoundingClientRect() ?? new DOMRect(0, 0, innerWidth, innerHeight);
    const out = top < frame.top - 1 || bottom > Math.min(frame.bottom, innerHeight) + 1 || left < 0 || right > innerWidth || bottom - top < 8;
    return out ? [`${selector}: ${Math.round(top)} to ${Math.round(bottom)} of ${Math.round(frame.top)} to ${Math.round(frame.bottom)}`] : [];
  }));

/** What of the lanes and the run bar is cut off, does not stand on its line, or is too small to be hit. */
export function unreadable() {
  const box = (/** @type {Element} */ element) => element.getBoundingClientRect();
  const all = (/** @type {string} */ selector) => [...document.querySelectorAll(selector)];
  const [scene] = all('.scene');
  return [
    ...all('.lane h2 > *, .wake-detail .by, .meters').filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => `cut: ${each.textContent}`),
    ...all('.scene').filter((each) => scene && box(each).top !== box(scene).top).map(() => 'a scene is lower than the other'),
    ...all('.token').filter((each) => box(each).width < 24 || box(each).height < 24).map((each) => `small: ${each.textContent}`),
    ...all('#run-bar > :not([hidden])').filter((each) => box(each).bottom > 100 || box(each).right > innerWidth).map((each) => `in another line: ${each.textContent}`),
  ];
}
