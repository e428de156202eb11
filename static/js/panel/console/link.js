// The connection of a console: what was typed goes, what the server says comes.

/** @import { ConsoleMessage } from './transcript.js' */

/**
 * @typedef {object} Listener
 * @property {(message: ConsoleMessage) => void} said
 * @property {() => void} lost the connection has ended, and no message has said so
 */

/** Where a console of a lane is. @param {string} room @param {string} lobby @param {string} lane */
export function consoleAddress(room, lobby, lane) {
  const address = new URL(`api/rooms/${room}/console?lane=${encodeURIComponent(lane)}`, lobby);
  address.protocol = address.protocol.replace('http', 'ws');
  return address.href;
}

/** Why the server lets nobody have a console there, in its words; a page is not told why its websocket was refused. @param {string} address */
export async function whyNoConsole(address) {
  const response = await fetch(address.replace(/^ws/, 'http')).catch(() => undefined);
  const { error } = await response?.json().catch(() => ({})) ?? {};
  return error?.code === 'bad_handshake' ? '' : String(error?.message ?? '');
}

/** WebSocket.CONNECTING, where there is none. */
const CONNECTING = 0;

export class ConsoleLink {
  /** @type {WebSocket | undefined} */ #socket;
  /** @type {Listener} */ #listener;
  /** @type {(url: string) => WebSocket} */ #open;

  /** @param {Listener} listener @param {(url: string) => WebSocket} open */
  constructor(listener, open) {
    this.#listener = listener;
    this.#open = open;
  }

  /** @param {string} address */
  open(address) {
    this.close();
    const socket = this.#open(address);
    this.#socket = socket;
    socket.onmessage = ({ data }) => {
      if (socket !== this.#socket) return;
      const message = JSON.parse(data);
      if (message.ended) this.#socket = undefined;
      this.#listener.said(message);
    };
    socket.onclose = () => {
      if (socket !== this.#socket) return;
      this.#socket = undefined;
      this.#listener.lost();
    };
  }

  /** @param {{ line: string } | { complete: string } | { start: true }} request */
  send(request) {
    this.#socket?.send(JSON.stringify(request));
  }

  close() {
    const socket = this.#socket;
    this.#socket = undefined;
    if (socket?.readyState === CONNECTING) socket.onopen = () => socket.close(); // to close it now would be an error
    else socket?.close();
  }
}
