// Follows the frames and blocks of zstd data without decompressing them, so that a
// file is refused before it makes the decompressor take memory or time without
// bounds. The decompressor keeps a window as large as the frame asks for, up to
// 2 GB, and moves all of it once a block, however small that is.
// The format is that of RFC 8878, section 3.1.

import { t } from '../text/language.js';

/** The largest window, in bytes: what every decompressor has to manage, and zstd -19 uses. */
const MAX_WINDOW = 8 * 2 ** 20;
/** The most bytes that may be moved: those of 512 MB in full blocks, with the largest window. */
const MAX_MOVED = 32 * 2 ** 30;

const FRAME = 0xfd2fb528;
const SKIPPABLE = 0x184d2a50; // and the 15 numbers above it

/** Data that is no zstd, or that asks for too much. */
export class BadFrame extends Error {}

export class ZstdFrames {
  /** @type {number[]} */ #head = []; // the beginning of what is to come: a header
  #skip = 0; // bytes that do not matter
  #window = 0; // of the frame under way; 0 between frames
  #checksum = false; // follows the frame
  #moved = 0;

  /**
   * @param {Uint8Array} bytes following those before
   * @throws {BadFrame}
   */
  take(bytes) {
    for (let at = 0; at < bytes.length;) {
      const skipped = Math.min(this.#skip, bytes.length - at);
      this.#skip -= skipped;
      at += skipped;
      if (at < bytes.length) this.#add(bytes[at++] ?? 0);
    }
  }

  /** @param {number} byte */
  #add(byte) {
    this.#head.push(byte);
    const whole = this.#window ? this.#block() : this.#frame();
    if (whole) this.#head = [];
  }

  /** Whether the header of a frame is whole; then it has been heeded. */
  #frame() {
    if (this.#head.length < 5) return false;
    const magic = number(this.#head, 0, 4);
    if (magic >= SKIPPABLE && magic < SKIPPABLE + 16) return this.#skippable();
    if (magic !== FRAME) throw new BadFrame(t`it is no zstd`);
    const flags = this.#head[4] ?? 0;
    const single = (flags & 32) !== 0; // no window is named, it is as large as the content
    const dictionary = [0, 1, 2, 4][flags & 3] ?? 0;
    const size = [single ? 1 : 0, 2, 4, 8][flags >> 6] ?? 0;
    const sizeAt = 5 + (single ? 0 : 1) + dictionary;
    if (this.#head.length < sizeAt + size) return false;
    this.#window = single ? Math.max(1, number(this.#head, sizeAt, size) + (size === 2 ? 256 : 0)) : windowOf(this.#head[5] ?? 0);
    if (this.#window > MAX_WINDOW) throw new BadFrame(t`it would take too much memory`);
    this.#checksum = (flags & 4) !== 0;
    return true;
  }

  #skippable() {
    if (this.#head.length < 8) return false;
    this.#skip = number(this.#head, 4, 4);
    return true;
  }

  /** Whether the header of a block is whole; then it has been heeded. */
  #block() {
    if (this.#head.length < 3) return false;
    const header = number(this.#head, 0, 3);
    this.#moved += this.#window;
    if (this.#moved > MAX_MOVED) throw new BadFrame(t`it would take too much time`);
    const repeated = ((header >> 1) & 3) === 1;
    this.#skip = repeated ? 1 : header >> 3;
    if (header & 1) {
      this.#skip += this.#checksum ? 4 : 0;
      this.#window = 0;
    }
    return true;
  }
}

/** @param {number} descriptor */
function windowOf(descriptor) {
  const base = 2 ** (10 + (descriptor >> 3));
  return base + (base / 8) * (descriptor & 7);
}

/** @param {number[]} bytes @param {number} start @param {number} length */
const number = (bytes, start, length) => bytes.slice(start, start + length).reduceRight((sum, byte) => sum * 256 + byte, 0);
