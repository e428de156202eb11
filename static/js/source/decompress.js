// The text of a file that may be compressed: by zstd, as the playground records; by
// gzip, as an exported page has it inside; or not at all. Which of these shows from
// its first bytes, as a file's name may say anything.

import { BadRecording, LIMITS } from '../log/recording.js';
import { t } from '../text/language.js';
import { BadFrame, ZstdFrames } from './zstd-frames.js';

/** @typedef {AsyncIterable<Uint8Array>} Bytes */

/**
 * The text of a file, piece by piece. What decompresses to more than the limit is
 * refused as soon as that shows. Errors of the source come through as they are.
 * @param {ReadableStream<Uint8Array>} file
 * @param {number} [limit] in bytes
 * @returns {AsyncGenerator<string>}
 * @throws {BadRecording}
 */
export async function* decompress(file, limit = LIMITS.text) {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let length = 0;
  for await (const bytes of decompressed(chunks(file))) {
    length += bytes.length;
    if (length > limit) throw new BadRecording(t`The recording is too large: the page reads up to ${limit / 2 ** 20} MB of text.`);
    yield decode(decoder, bytes);
  }
  yield decode(decoder);
}

/** @param {TextDecoder} decoder @param {Uint8Array} [bytes] nothing at the end */
function decode(decoder, bytes) {
  try {
    return decoder.decode(bytes, { stream: bytes !== undefined });
  } catch {
    throw new BadRecording('This is not a recording: it is no text.');
  }
}

/** @param {Bytes} bytes @returns {AsyncGenerator<Uint8Array>} */
async function* decompressed(bytes) {
  const source = bytes[Symbol.asyncIterator]();
  let first = new Uint8Array();
  let ended = false;
  while (first.length < 4 && !ended) {
    const { value, done } = await source.next();
    if (done) ended = true;
    else first = joined(first, value);
  }
  yield* methodOf(first)(following(first, source));
}

/** @param {Uint8Array} a @param {Uint8Array} b */
function joined(a, b) {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

/** @param {Uint8Array} first @param {AsyncIterator<Uint8Array>} rest @returns {AsyncGenerator<Uint8Array>} */
async function* following(first, rest) {
  try {
    if (first.length) yield first;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

/** @param {Uint8Array} first the first bytes, four if there are so many */
function methodOf(first) {
  const [a, b, c, d] = first;
  if (a === 0x1f && b === 0x8b) return gunzip;
  if (a === 0x28 && b === 0xb5 && c === 0x2f && d === 0xfd) return unzstd;
  return plain;
}

/** @param {AsyncGenerator<Uint8Array>} bytes */
const plain = (bytes) => bytes;

/** @param {AsyncGenerator<Uint8Array>} bytes @returns {AsyncGenerator<Uint8Array>} */
async function* gunzip(bytes) {
  /** @type {{ error: unknown } | undefined} */
  let failed;
  /** @type {ReadableStream<BufferSource>} */
  const compressed = new ReadableStream({
    async pull(controller) {
      try {
        const { value, done } = await bytes.next();
        if (done) controller.close();
        else controller.enqueue(/** @type {Uint8Array<ArrayBuffer>} */ (value));
      } catch (error) {
        failed = { error };
        controller.error(error);
      }
    },
    async cancel() {
      await bytes.return(undefined);
    },
  });
  try {
    yield* chunks(compressed.pipeThrough(new DecompressionStream('gzip')));
  } catch {
    if (failed) throw failed.error;
    throw damaged();
  }
}

/** @param {AsyncGenerator<Uint8Array>} bytes @returns {AsyncGenerator<Uint8Array>} */
async function* unzstd(bytes) {
  const { Decompress } = await import('../../lib/fzstd.js'); // only who opens such a file needs it
  /** @type {Uint8Array[]} */
  let out = [];
  const frames = new ZstdFrames();
  const decompressor = new Decompress((block) => out.push(block));
  for await (const chunk of bytes) {
    for (let start = 0; start < chunk.length; start += MOST_AT_ONCE) {
      push(decompressor, frames, chunk.subarray(start, start + MOST_AT_ONCE));
      yield* out;
      out = [];
    }
  }
  push(decompressor, frames, new Uint8Array(), true);
  yield* out;
}

/** How many compressed bytes become text, at most 16 MB, before somebody looks how much that is. */
const MOST_AT_ONCE = 512;

/**
 * @param {import('../../lib/fzstd.js').Decompress} decompressor
 * @param {ZstdFrames} frames
 * @param {Uint8Array} bytes
 * @param {boolean} [last]
 */
function push(decompressor, frames, bytes, last = false) {
  try {
    frames.take(bytes);
    decompressor.push(bytes, last);
  } catch (error) {
    throw error instanceof BadFrame ? new BadRecording(t`This is not a recording that can be read: ${error.message}.`) : damaged();
  }
}

const damaged = () => new BadRecording(t`The recording is cut off or damaged: it cannot be decompressed.`);

/**
 * The chunks of a stream, which not every browser can iterate over by itself.
 * @param {ReadableStream<Uint8Array>} stream
 * @returns {AsyncGenerator<Uint8Array>}
 */
async function* chunks(stream) {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel().catch(() => {});
  }
}
