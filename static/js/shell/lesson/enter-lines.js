// Enters lines in the console as the visitor would: it shows them, and keeps them apart.

/** How long to wait for the console, in milliseconds. */
const PATIENCE = 10_000;

/** Says whether there was a console to enter them in. @param {string[]} lines */
export async function enterLines(lines) {
  for (const line of lines) {
    const field = await sought('.console-line input');
    if (!(field instanceof HTMLInputElement)) return false;
    field.value = line;
    field.form?.requestSubmit();
    if (line === 'quit') await beClientAgain();
  }
  return true;
}

/** After quit the console is joined anew. */
async function beClientAgain() {
  const join = await sought('.console-join');
  if (join instanceof HTMLElement) join.click();
}

/** What is in the page, or will be soon; undefined if not. @param {string} selector @returns {Promise<Element | undefined>} */
function sought(selector) {
  const begun = performance.now();
  return new Promise((resolve) => {
    const look = () => {
      const found = document.querySelector(selector) ?? undefined;
      if (found || performance.now() - begun > PATIENCE) resolve(found);
      else requestAnimationFrame(look);
    };
    look();
  });
}
