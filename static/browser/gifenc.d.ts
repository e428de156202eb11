// What recorded-pictures.js uses of gifenc, which has no types of its own.
declare module 'gifenc' {
  type Palette = number[][];
  interface FrameOptions { palette?: Palette; transparent?: boolean; transparentIndex?: number; delay?: number; dispose?: number }
  interface Encoder {
    writeFrame(index: Uint8Array, width: number, height: number, options?: FrameOptions): void;
    finish(): void;
    bytes(): Uint8Array;
  }
  const gifenc: {
    GIFEncoder(): Encoder;
    quantize(rgba: Uint8Array, colours: number): Palette;
    applyPalette(rgba: Uint8Array, palette: Palette): Uint8Array;
  };
  export default gifenc;
}
