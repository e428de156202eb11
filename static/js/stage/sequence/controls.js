// Pointer, wheel and keys over a diagram, as what they ask for.

/**
 * What can be asked of a diagram; places are pixels of its picture.
 * @typedef {object} Commands
 * @property {(factor: number, x?: number) => void} zoomBy
 * @property {(part: number) => void} panBy a part of what is in sight
 * @property {() => void} fit
 * @property {(x: number, y: number, picks: boolean) => void} point
 * @property {() => void} leave
 * @property {(x: number) => void} seekTo
 * @property {(x: number, y: number) => void} press
 * @property {(by: 1 | -1) => void} next
 * @property {() => void} choose
 * @property {(y: number) => boolean} onAxis
 * @property {() => number} plotWidth
 */

/** A pointer that has moved less than this has clicked. */
const CLICK = 5;

/** @param {HTMLElement} area what has the focus @param {HTMLCanvasElement} picture @param {Commands} commands */
export function control(area, picture, commands) {
  area.addEventListener('keydown', (event) => {
    if (event.target !== area || event.altKey || event.ctrlKey || event.metaKey || !key(event, commands)) return;
    event.preventDefault();
    event.stopPropagation();
  });
  area.addEventListener('wheel', (event) => {
    if (event.ctrlKey) commands.zoomBy(Math.exp(Math.max(-60, Math.min(60, event.deltaY)) * 0.01), event.offsetX);
    else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) commands.panBy((event.deltaX || event.deltaY) / commands.plotWidth());
    else return;
    event.preventDefault();
  }, { passive: false });
  pointers(picture, commands);
}

/** @param {KeyboardEvent} event @param {Commands} commands @returns {boolean} whether the key means anything here */
function key(event, commands) {
  const far = event.shiftKey ? 0.8 : 0.15;
  switch (event.key) {
    case 'ArrowLeft': commands.panBy(-far); return true;
    case 'ArrowRight': commands.panBy(far); return true;
    case '+': case '=': commands.zoomBy(1 / 1.5); return true;
    case '-': commands.zoomBy(1.5); return true;
    case '0': commands.fit(); return true;
    case 'n': commands.next(1); return true;
    case 'p': commands.next(-1); return true;
    case 'Enter': commands.choose(); return true;
    case 'Escape': commands.leave(); return true;
    default: return false;
  }
}

/** One pointer drags or clicks, two zoom. @param {HTMLCanvasElement} picture @param {Commands} commands */
function pointers(picture, commands) {
  /** @type {Map<number, { x: number, y: number }>} */
  const down = new Map();
  let [moved, seeking] = [0, false];
  picture.addEventListener('pointerdown', (event) => {
    if (event.button) return;
    picture.setPointerCapture(event.pointerId);
    down.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    if (down.size > 1) return;
    moved = 0;
    seeking = commands.onAxis(event.offsetY);
    if (seeking) commands.seekTo(event.offsetX);
  });
  picture.addEventListener('pointermove', (event) => {
    const before = down.get(event.pointerId);
    const here = { x: event.offsetX, y: event.offsetY };
    if (!before) return commands.point(here.x, here.y, false);
    moved = Math.max(moved, Math.hypot(here.x - before.x, here.y - before.y), moved >= CLICK ? CLICK : 0);
    if (seeking) commands.seekTo(here.x);
    else if (down.size > 1) pinch(down, event.pointerId, here, commands);
    else if (moved >= CLICK) commands.panBy((before.x - here.x) / commands.plotWidth());
    if (moved >= CLICK || down.size > 1) down.set(event.pointerId, here);
  });
  picture.addEventListener('pointerup', (event) => {
    const clicked = down.size === 1 && moved < CLICK && !seeking;
    if (down.size > 1) moved = CLICK;
    if (down.delete(event.pointerId) && clicked) commands.press(event.offsetX, event.offsetY);
  });
  picture.addEventListener('pointercancel', (event) => down.delete(event.pointerId));
  picture.addEventListener('pointerleave', () => { if (!down.size) commands.leave(); });
  picture.addEventListener('dblclick', (event) => commands.seekTo(event.offsetX));
}

/** @param {Map<number, { x: number, y: number }>} down @param {number} moving @param {{ x: number, y: number }} here @param {Commands} commands */
function pinch(down, moving, here, commands) {
  const before = down.get(moving);
  const still = [...down].find(([id]) => id !== moving)?.[1];
  if (!before || !still) return;
  const [was, is] = [Math.abs(before.x - still.x), Math.abs(here.x - still.x)];
  if (was > 10 && is > 10) commands.zoomBy(was / is, still.x);
}
