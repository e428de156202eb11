// A static course as `playground site` writes it, behind a plain file server: from a
// folder below its root, with no header but the type that a file's name tells.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { parseRecording } from '../js/log/recording.js';
import { decompress } from '../js/source/decompress.js';
import { open } from './launch.js';
import { program } from './playground.js';

/** @import { Server } from 'node:http' */
/** @import { AddressInfo } from 'node:net' */
/** @import { Browser, BrowserContextOptions } from 'playwright-core' */

/** A site that a test of the command writes meanwhile is there after so long, in milliseconds: whole, or not at all. */
const LATEST = 300_000;
/** Where the site lies on its server. */
const FOLDER = '/some/where/';
/** @type {Record<string, string>} */
const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.json': 'application/json', '.svg': 'image/svg+xml' };

export class SiteServer {
  /** @param {string} directory @param {string} own to be removed, or empty @param {Server} server */
  constructor(directory, own, server) {
    this.directory = directory;
    this.own = own;
    this.server = server;
    this.base = `http://127.0.0.1:${/** @type {AddressInfo} */ (server.address()).port}${FOLDER}`;
  }

  /** Serves the site in $SITE_DIR, which a test of the command has written; without that, one that it writes itself. */
  static async start() {
    let directory = process.env['SITE_DIR'] ?? '';
    const own = directory ? '' : await mkdtemp(join(tmpdir(), 'site-'));
    if (own) {
      directory = join(own, 'site');
      await promisify(execFile)(program(), ['site', directory]);
    }
    for (const late = Date.now() + LATEST; !existsSync(join(directory, 'index.html')) && Date.now() < late;) await setTimeout(200);
    if (!existsSync(join(directory, 'index.html'))) throw new Error(`there is no site in ${directory}`);
    const server = createServer((request, response) => void serve(directory, request.url ?? '', response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new SiteServer(directory, own, server);
  }

  async stop() {
    this.server.closeAllConnections();
    this.server.close();
    if (this.own) await rm(this.own, { recursive: true, force: true });
  }

  /** A page that can reach the site alone; what else it asks for is in refused. @param {Browser} browser @param {BrowserContextOptions} [options] */
  async open(browser, options) {
    const { page, complaints } = await open(browser, options);
    /** @type {string[]} */
    const refused = [];
    await page.context().route('**', (route) => {
      const url = route.request().url();
      if (url.startsWith(this.base)) return route.continue();
      refused.push(url);
      return route.abort();
    });
    return { page, complaints, refused };
  }

  /** How many files it has, and how many bytes. */
  async size() {
    const files = await readdir(this.directory, { recursive: true, withFileTypes: true });
    const sizes = await Promise.all(files.filter((each) => each.isFile()).map(async (file) => (await stat(join(file.parentPath ?? file.path, file.name))).size));
    return { files: sizes.length, bytes: sizes.reduce((a, b) => a + b, 0) };
  }

  /** The run of a recording. @param {string} name */
  async run(name) {
    const bytes = await readFile(join(this.directory, 'runs', `${name}.ndjson.zst`));
    return (await parseRecording(decompress(new Blob([bytes]).stream()))).run;
  }
}

/** @param {string} directory @param {string} url @param {import('node:http').ServerResponse} response */
async function serve(directory, url, response) {
  const { pathname } = new URL(url, 'http://localhost');
  const file = resolve(directory, `.${decodeURIComponent(pathname.slice(FOLDER.length - 1))}`, pathname.endsWith('/') ? 'index.html' : '');
  const content = pathname.startsWith(FOLDER) && file.startsWith(directory) ? await readFile(file).catch(() => undefined) : undefined;
  response.writeHead(content ? 200 : 404, content ? { 'content-type': types[extname(file)] ?? 'application/octet-stream' } : {});
  response.end(content);
}
