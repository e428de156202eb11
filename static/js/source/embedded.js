// The recording that a saved page carries inside: NDJSON, by gzip, in base64.

/** How many characters become bytes at once; four of them are three bytes. */
const PIECE = 4 * 2 ** 18;

/** @param {string} base64 @returns {ReadableStream<Uint8Array>} */
export function embedded(base64) {
  const text = base64.trim();
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const parts = [];
  for (let start = 0; start < text.length; start += PIECE) {
    parts.push(Uint8Array.from(atob(text.slice(start, start + PIECE)), (character) => character.charCodeAt(0)));
  }
  return new Blob(parts).stream();
}
