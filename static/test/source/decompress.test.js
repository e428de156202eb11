import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { BadRecording, parseRecording } from '../../js/log/recording.js';
import { decompress } from '../../js/source/decompress.js';
import { recording, text } from '../recording.js';

const name = 'ephemeral-crash';
const plain = Buffer.from(text(name));
/** The same as `playground run -record` writes it. */
const zstd = readFileSync(new URL(`../fixtures/${name}.ndjson.zst`, import.meta.url));

/**
 * A stream of what an iterator gives, when it is asked for.
 * @param {Iterator<Uint8Array, void> | AsyncIterator<Uint8Array, void>} source
 * @returns {ReadableStream<Uint8Array>}
 */
const streamOf = (source) => new ReadableStream({
  async pull(controller) {
    const { value, done } = await source.next();
    if (done) controller.close();
    else controller.enqueue(value);
  },
  async cancel() {
    await source.return?.();
  },
}, { highWaterMark: 0 });

/** A file whose bytes come in pieces. @param {Uint8Array} bytes @param {number} [size] */
const file = (bytes, size = 65_536) => streamOf((function* () {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
})());

/** @param {ReadableStream<Uint8Array>} from @param {number} [limit] */
async function all(from, limit) {
  let whole = '';
  for await (const piece of decompress(from, limit)) whole += piece;
  return whole;
}

/** @param {ReadableStream<Uint8Array>} from @param {RegExp} sentence @param {number} [limit] */
const mustRefuse = (from, sentence, limit) => assert.rejects(all(from, limit), (error) => {
  assert.ok(error instanceof BadRecording, String(error));
  assert.match(error.message, sentence);
  return true;
});

/** @type {[string, Uint8Array][]} */
const forms = [['plain', plain], ['gzip', gzipSync(plain)], ['zstd', zstd], ['two zstd frames and one to be skipped',
  Buffer.concat([frame(raw(plain.subarray(0, 1000))), skippable(Buffer.from('nothing')), frame(raw(plain.subarray(1000, 50_000)), raw(plain.subarray(50_000)))])]];
for (const [form, bytes] of forms) {
  test(`${form}: the text is as it was, however it is cut`, async () => {
    for (const size of [77, 1e6]) assert.equal(await all(file(bytes, size)), String(plain));
  });

  test(`${form}: the recording is read`, async () => {
    assert.deepEqual(await parseRecording(decompress(file(bytes))), recording(name));
  });

  test(`${form}: what is larger than the limit is refused`, () => mustRefuse(file(bytes), /too large/, plain.length - 1));

  test(`${form}: the error of the source is told as it is`, async () => {
    const broken = streamOf((async function* () {
      yield bytes.subarray(0, 500);
      throw new Error('the disk is gone');
    })());
    await assert.rejects(all(broken), /the disk is gone/);
  });

  test(`${form}: who has enough closes the source`, async () => {
    let closed = false;
    const source = streamOf((function* () {
      try {
        for (const part of [bytes.subarray(0, bytes.length - 10), bytes.subarray(-10)]) yield part;
      } finally {
        closed = true;
      }
    })());
    for await (const _ of decompress(source)) break;
    assert.equal(closed, true);
  });
}

for (const [form, bytes] of forms.slice(1)) {
  test(`${form}: what is cut off is refused`, async () => {
    for (const length of [4, 5, 17, 18, 100, bytes.length - 1]) await mustRefuse(file(bytes.subarray(0, length)), /cut off or damaged/);
  });
}

test('an empty file is an empty text', async () => {
  assert.equal(await all(file(new Uint8Array())), '');
  assert.equal(await all(file(frame(raw(Buffer.from(''))))), '');
});

test('a short text is whole', async () => {
  for (const short of ['', 'a', 'abc', 'some text']) {
    for (const bytes of [Buffer.from(short), gzipSync(short), frame(raw(Buffer.from(short)))]) assert.equal(await all(file(bytes, 3)), short);
  }
});

test('a character may be cut in two', async () => {
  assert.equal(await all(file(Buffer.from('– ● –'), 1)), '– ● –');
});

test('what is no text is refused', async () => {
  await mustRefuse(file(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe])), /it is no text/);
  await mustRefuse(file(Buffer.from([0xe2, 0x80])), /it is no text/);
});

test('damaged compression is refused, or read as it is', async () => {
  for (const bytes of [gzipSync(plain), zstd]) {
    for (let at = 4; at < bytes.length; at += 97) {
      const damaged = Uint8Array.from(bytes, (byte, index) => (index === at ? byte ^ 0x55 : byte));
      await all(file(damaged)).catch((error) => assert.ok(error instanceof BadRecording, `byte ${at}: ${error.stack}`));
    }
  }
});

test('a small file that would become a gigabyte is refused while it does', async () => {
  const zeros = Buffer.alloc(2 ** 20, ' ');
  await mustRefuse(file(gzipSync(Buffer.concat(Array(40).fill(zeros)))), /too large/, 32 * 2 ** 20);
  const block = repeated(0x20, 2 ** 17);
  await mustRefuse(file(frame(...Array(8000).fill(block))), /too large: the page reads up to 32 MB/, 32 * 2 ** 20);
});

test('zstd that asks for much memory or time is refused', async () => {
  const empty = raw(Buffer.from(''));
  await mustRefuse(file(Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0x6f]), empty, last(empty)])), /would take too much memory/);
  await mustRefuse(file(Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0, 0, 0, 0, 1, 0, 0, 0]), last(empty)])), /would take too much memory/);
  const huge = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0x68]); // a window of 8 MiB, allowed
  await mustRefuse(file(Buffer.concat([huge, ...Array(5000).fill(repeated(0x20, 1))])), /would take too much time/);
  await mustRefuse(file(Buffer.concat([frame(empty), Buffer.from('junk after the frame')])), /it is no zstd/);
});

/** A block of bytes as they are. @param {Uint8Array} bytes */
function raw(bytes) {
  return Buffer.concat([Buffer.from([(bytes.length << 3) & 0xff, (bytes.length >> 5) & 0xff, bytes.length >> 13]), bytes]);
}

/** A block of one byte, so many times. @param {number} byte @param {number} times */
function repeated(byte, times) {
  return Buffer.from([((times << 3) & 0xff) | 2, (times >> 5) & 0xff, times >> 13, byte]);
}

/** @param {Uint8Array} block */
function last(block) {
  return Uint8Array.from(block, (byte, index) => (index === 0 ? byte | 1 : byte));
}

/** A frame with a window of 128 KiB. @param {Uint8Array[]} blocks */
function frame(...blocks) {
  return Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0x38]), ...blocks.slice(0, -1), last(blocks.at(-1) ?? new Uint8Array())]);
}

/** @param {Uint8Array} bytes */
function skippable(bytes) {
  return Buffer.concat([Buffer.from([0x50, 0x2a, 0x4d, 0x18, bytes.length, 0, 0, 0]), bytes]);
}
