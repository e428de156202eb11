// Makes static/lib/ from the packages: one ES module for each library, so that
// the page imports it by a relative path, without an import map.
import { build } from 'esbuild';
import { mkdir, readFile, writeFile } from 'node:fs/promises';

const here = import.meta.dirname;
const lib = `${here}/lib`;

// What each module exports, in the words of an ES module.
const modules = {
  fzstd: `
    export { Decompress } from 'fzstd';
  `,
  'lit-html': `
    export * from 'lit-html';
    export { classMap } from 'lit-html/directives/class-map.js';
    export { guard } from 'lit-html/directives/guard.js';
    export { keyed } from 'lit-html/directives/keyed.js';
    export { live } from 'lit-html/directives/live.js';
    export { createRef, ref } from 'lit-html/directives/ref.js';
    export { repeat } from 'lit-html/directives/repeat.js';
  `,
};

/**
 * Writes a module, and beside it its types, which tsc reads instead.
 * @param {string} name
 * @param {string} source
 */
async function bundle(name, source) {
  await build({
    stdin: { contents: source, resolveDir: here },
    outfile: `${lib}/${name}.js`,
    bundle: true,
    format: 'esm',
    minify: true,
    target: 'es2022',
    conditions: ['production'],
    legalComments: 'inline',
    logLevel: 'warning',
  });
  await writeFile(`${lib}/${name}.d.ts`, source.replace(/^\s+/gm, ''));
}

/** Says in one file whose work is in lib. */
async function licence() {
  const texts = await Promise.all(Object.keys(modules).map(async (name) =>
    `${name}\n\n${await readFile(`${here}/node_modules/${name}/LICENSE`, 'utf8')}`));
  await writeFile(`${lib}/LICENSES.txt`, texts.join('\n\n'));
}

await mkdir(lib, { recursive: true });
await licence();
// The modules come last, since make looks at one: when it is there, all is.
for (const [name, source] of Object.entries(modules)) await bundle(name, source);
