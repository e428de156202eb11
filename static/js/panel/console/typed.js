// The lines that were typed at the console, kept until the tab is closed. Storage may be
// forbidden: then they last as long as the page.

const KEY = 'console-typed';

/** What was typed before the page was loaded anew. @returns {string[]} */
export function typedBefore() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? '[]');
  } catch {
    return [];
  }
}

/** @param {string[]} lines */
export function keepTyped(lines) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(lines));
  } catch {
    return;
  }
}
