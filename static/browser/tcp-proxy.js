// A TCP proxy between a page and a playground, which a test can cut.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** @import { AddressInfo, Server, Socket } from 'node:net' */

export class TcpProxy {
  /** @type {Set<Socket>} */ #sockets = new Set();
  #broken = false;
  /** How many bytes have come from the playground. */ came = 0;

  /**
   * @param {Server} server
   * @param {number} port of the playground
   */
  constructor(server, port) {
    this.server = server;
    server.on('connection', (near) => {
      if (this.#broken) {
        near.destroy();
        return;
      }
      const far = connect(port, '127.0.0.1');
      near.pipe(far).pipe(near);
      far.on('data', (bytes) => { this.came += bytes.length; });
      for (const socket of [near, far]) {
        this.#sockets.add(socket);
        socket.on('error', () => socket.destroy()); // the other end was cut
        socket.on('close', () => this.#sockets.delete(socket));
      }
    });
  }

  /** @param {string} url of the playground */
  static async to(url) {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new TcpProxy(server, Number(new URL(url).port));
  }

  /** The playground's address by way of the proxy. */
  get url() {
    return `http://127.0.0.1:${/** @type {AddressInfo} */ (this.server.address()).port}`;
  }

  /** Drops every connection, and refuses new ones until it is restored. */
  cut() {
    this.#broken = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Lets nothing more through on the connections that there are, which stay open: as where a phone has slept. */
  freeze() {
    for (const socket of this.#sockets) socket.unpipe().pause();
  }

  restore() {
    this.#broken = false;
  }

  close() {
    this.cut();
    this.server.close();
  }
}
