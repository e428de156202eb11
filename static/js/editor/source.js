// A source as it is kept, sent in a link, and complained about.

/** @import { SourceError } from './editor.js' */

/** What a sentence says of a place in a source, if it does. @param {string} sentence @returns {SourceError | undefined} */
export function errorOf(sentence) {
  const [, line, column, text = ''] = /line (\d+), column (\d+): (.*)/.exec(sentence) ?? [];
  return line && column ? { line: Number(line), column: Number(column), text } : undefined;
}

const BEGIN = '#your-lock=';

/** @param {string} source */
export const linkHash = (source) => BEGIN + encodeURIComponent(source);

/** The source that a link brings, or empty. @param {string} hash */
export function sourceOf(hash) {
  try {
    return hash.startsWith(BEGIN) ? decodeURIComponent(hash.slice(BEGIN.length)) : '';
  } catch {
    return ''; // somebody has cut the link
  }
}
