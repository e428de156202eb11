// The colours of the theme, for a canvas: read when the theme changes, not when
// something is drawn.

const names = /** @type {const} */ ([
  'surface', 'raised', 'ink', 'ink-soft', 'line', 'line-strong', 'accent', 'holds', 'holds-background', 'on-holds',
  'waits', 'wakes', 'wakes-background', 'wrong', 'wrong-background', 'on-accent', 'server', 'on-colour',
  'colour-1', 'colour-2', 'colour-3', 'colour-4', 'colour-5', 'colour-6', 'colour-7', 'colour-8',
]);

/** @typedef {Record<typeof names[number], string> & { font: string }} Colours */

/**
 * Asks the browser for each colour as it would paint it, so that whatever the
 * style sheet makes it of is worked out.
 * @param {HTMLElement} host
 * @returns {Colours}
 */
export function readColours(host) {
  const probe = document.createElement('span');
  probe.hidden = true;
  host.append(probe);
  const read = Object.fromEntries(names.map((name) => {
    probe.style.color = `var(--${name})`;
    return [name, getComputedStyle(probe).color];
  }));
  const font = getComputedStyle(host).fontFamily;
  probe.remove();
  return /** @type {Colours} */ ({ ...read, font });
}

/**
 * Calls back whenever the theme may have changed.
 * @param {() => void} changed
 */
export function onThemeChange(changed) {
  new MutationObserver(changed).observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'class'] });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', changed);
}
