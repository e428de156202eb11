// Makes static/lib/: one ES module for each library, so that the page imports it by a
// relative path, without an import map; and the page itself in few small files.
import { build } from 'esbuild';
import { copyFile, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';

const here = import.meta.dirname;
const lib = `${here}/lib`;

// What each module exports, in the words of an ES module.
const modules = {
  codemirror: `
    export { EditorView, minimalSetup } from 'codemirror';
    export { python } from '@codemirror/lang-python';
    export { HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from '@codemirror/language';
    export { EditorState, StateEffect, StateField } from '@codemirror/state';
    export { Decoration, keymap, lineNumbers } from '@codemirror/view';
    export { tags } from '@lezer/highlight';
  `,
  fzstd: `
    export { Decompress } from 'fzstd';
  `,
  'lit-html': `
    export * from 'lit-html';
    export { keyed } from 'lit-html/directives/keyed.js';
    export { repeat } from 'lit-html/directives/repeat.js';
  `,
  uplot: `
    export { default } from 'uplot';
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

const common = /** @type {const} */ ({ bundle: true, minify: true, target: 'es2022', logLevel: 'warning', legalComments: 'none' });

/** Writes all style sheets in one. @param {string[]} sheets @param {string} outfile */
const styles = (sheets, outfile) => build({
  ...common, outfile, stdin: { contents: sheets.map((file) => `@import "./${file}";`).join('\n'), resolveDir: here, loader: 'css' },
});

/**
 * The files that one cannot do without: what they have in common with those that are
 * loaded later.
 * @param {import('esbuild').Metafile['outputs']} outputs @param {string} file @returns {string[]}
 */
const needs = (outputs, file) => (outputs[file]?.imports ?? []).filter(({ kind }) => kind === 'import-statement')
  .flatMap(({ path }) => [path, ...needs(outputs, path)]);

/** The script of a room's page, and what is loaded only when it is needed. */
const live = /** @satisfies {import('esbuild').BuildOptions & { metafile: true }} */ ({ ...common, entryPoints: [`${here}/js/shell/main.js`], outdir: `${lib}/page`, format: /** @type {const} */ ('esm'), splitting: true, chunkNames: '[name]-[hash]', metafile: /** @type {const} */ (true) });

/** What is loaded only where there is a run: each needs much of what draws one. */
const WITH_RUN = /\/js\/(stage|timeline|panel|faults)\//;

/**
 * Has each module that is loaded later ask for all that a first visit has loaded, and each
 * that is loaded with a run for all that draws one: what all have in common is one file,
 * which is smaller than many, each packed by itself.
 * @param {import('esbuild').Metafile} found by a build without that
 * @returns {import('esbuild').Plugin}
 */
function together({ outputs }) {
  const inputsOf = (/** @type {string} */ entry) => {
    const output = Object.keys(outputs).find((file) => outputs[file]?.entryPoint?.endsWith(entry)) ?? '';
    return [...new Set([output, ...needs(outputs, output)].flatMap((file) => Object.keys(outputs[file]?.inputs ?? {})).filter((file) => !file.endsWith(entry)))];
  };
  const importsOf = (/** @type {string[]} */ files) => files.map((file) => `import ${JSON.stringify(resolve(file))};\n`).join('');
  const first = importsOf(inputsOf('/shell/main.js'));
  const run = importsOf(inputsOf('/stage/run-view.js'));
  const late = new Set(Object.values(outputs).flatMap(({ entryPoint = '' }) => (entryPoint.endsWith('/shell/main.js') ? [] : resolve(entryPoint))));
  return { name: 'together', setup({ onLoad }) {
    onLoad({ filter: /\.js$/ }, async ({ path }) => (late.has(path)
      ? { contents: first + (WITH_RUN.test(path) ? run : '') + await readFile(path, 'utf8') } : undefined));
  } };
}

/**
 * Writes the page with all of its own modules in one, and its style sheets in one.
 * What is loaded only when it is needed stays apart. Beside it are the script and the
 * styles of a saved page, each whole, as such a page can load nothing.
 */
async function pages() {
  await rm(`${lib}/page`, { recursive: true, force: true });
  const { metafile } = await build({ ...live, write: false });
  const { metafile: { outputs } } = await build({ ...live, plugins: [together(metafile)] });
  const ahead = new Set(needs(outputs, Object.keys(outputs).find((file) => file.endsWith('/main.js')) ?? '').map((file) => basename(file)));
  await build({ ...common, entryPoints: { saved: `${here}/js/shell/saved.js` }, outdir: `${lib}/page`, format: 'esm' });
  const index = await readFile(`${here}/index.html`, 'utf8');
  const sheets = sheetsOf(index);
  const late = [...index.matchAll(/href="static\/([^"]+\.css)" disabled/g)].map(([, file]) => file ?? ''); // of panels that few visitors open
  await styles(sheets, `${lib}/page/page.css`);
  await styles([...sheets, ...late], `${lib}/page/saved.css`);
  await site([...sheets, ...late]);
  for (const sheet of late) await styles([sheet], `${lib}/page/${basename(sheet)}`);
  await writeFile(`${lib}/page/index.html`, bundled(index, 'page.css', ahead)
    .replace(/static\/js\/[^"]*?([\w-]+\.css" disabled)/g, 'static/lib/page/$1')
    .replace('static/js/shell/boot.js', 'static/lib/page/main.js'));
  await frontPage();
  await cp(`${here}/js/text/languages`, `${lib}/page/languages`, { recursive: true });
}

/** Writes the front page, which has a script and a style sheet of its own. */
async function frontPage() {
  const { metafile: { outputs } } = await build({ ...live, entryPoints: [`${here}/js/shell/front/front.js`] });
  const front = await readFile(`${here}/front.html`, 'utf8');
  await styles(sheetsOf(front), `${lib}/page/front.css`);
  const ahead = new Set(needs(outputs, Object.keys(outputs).find((file) => file.endsWith('/front.js')) ?? '').map((file) => basename(file)));
  await writeFile(`${lib}/page/front.html`, bundled(front, 'front.css', ahead).replace('static/js/shell/front/boot.js', 'static/lib/page/front.js'));
}

/** The style sheets that a document loads first. @param {string} document */
const sheetsOf = (document) => [...document.matchAll(/<link rel="stylesheet" href="static\/([^"]+)">\n/g)].map(([, file]) => file ?? '');

/** A document with its style sheets in one, and the modules that its script needs. @param {string} document @param {string} sheet @param {Set<string>} ahead */
const bundled = (document, sheet, ahead) => document
  .replace(/ *<link rel="(modulepreload|stylesheet)" href="static\/[^"]+">\n/g, '')
  .replace(/ *<link rel="stylesheet"/, `  <link rel="stylesheet" href="static/lib/page/${sheet}">\n${
    [...ahead].map((file) => `  <link rel="modulepreload" href="static/lib/page/${file}">\n`).join('')}$&`);

/** Writes the scripts and the styles of the static course, for playground/site. @param {string[]} sheets */
async function site(sheets) {
  await rm(`${lib}/site`, { recursive: true, force: true });
  await build({ ...common, entryPoints: [`${here}/js/shell/site/lesson.js`, `${here}/js/shell/site/course.js`], outdir: `${lib}/site`, format: 'esm', splitting: true, chunkNames: '[name]-[hash]' });
  await cp(`${here}/js/text/languages`, `${lib}/site/languages`, { recursive: true });
  await styles(['css/course.css', ...sheets, 'css/site.css'], `${lib}/site/site.css`);
}

await mkdir(lib, { recursive: true });
await licence();
// What make looks at comes last: when it is there, all is.
for (const [name, source] of Object.entries(modules)) await bundle(name, source);
await copyFile(`${here}/node_modules/uplot/dist/uPlot.min.css`, `${lib}/uplot.css`);
await pages();
