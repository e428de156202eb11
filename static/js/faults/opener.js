// Opens the menu of faults: for a client, for whoever comes first, or for the servers. What
// is in the menu is loaded after what is seen first.

import { style } from '../ui/style.js';
import { byId } from '../panel/panels.js';

/** @import { LaneActions } from '../stage/picture/lane-view.js' */
/** @import { App } from '../shell/app.js' */
/** @import { FaultMenu, Target } from './menu.js' */

/** What the menu may be about beside a client: the servers, or whoever comes first in each lane. */
const SERVERS = { lane: '', client: 0 };
const ANYBODY = { lane: '', client: -1 };

export class FaultOpener {
  /** @type {App} */ #app;
  /** @type {() => void} */ #changed;
  /** @type {FaultMenu | undefined} */ #menu;
  /** @type {Promise<FaultMenu> | undefined} */ #loading;

  /** @param {App} app @param {() => void} changed */
  constructor(app, changed) {
    this.#app = app;
    this.#changed = changed;
  }

  load() {
    return this.#loading ??= Promise.all([import('./menu.js'), style('fault-menu')])
      .then(([{ FaultMenu }]) => this.#menu = new FaultMenu(this.#app, byId('fault-menu'), this.#changed));
  }

  /** @param {number} at the instant that is shown */
  draw(at) {
    if (this.#menu) this.#menu.draw(at);
    else void this.load();
  }

  /** What can be done to the clients of a lane. @param {string} lane @returns {Pick<LaneActions, 'breakIt' | 'opened'>} */
  of(lane) {
    return !this.#app.may('control') ? {} : {
      breakIt: (client, anchor) => this.#open(anchor, { lane, client }),
      opened: (client) => this.#isOpen({ lane, client }),
    };
  }

  servers = { open: (/** @type {Element} */ anchor) => this.#open(anchor, SERVERS), isOpen: () => this.#isOpen(SERVERS) };
  anybody = { open: (/** @type {Element} */ anchor) => this.#open(anchor, ANYBODY), isOpen: () => this.#isOpen(ANYBODY) };

  /** The menu of the client that a key is about. @param {number} front which lane is in front */
  async ofChosen(front) {
    const { anchorOf, chosenTarget } = await import('./chosen.js');
    const target = chosenTarget(this.#app, front);
    this.#open(anchorOf(target), target);
  }

  /** At once, but for who asks before it is here. @param {Element} anchor @param {Target} target */
  #open(anchor, target) {
    if (this.#menu) this.#menu.open(anchor, target);
    else void this.load().then((loaded) => loaded.open(anchor, target));
  }

  /** @param {Target} target */
  #isOpen({ lane, client }) {
    return this.#menu?.isOpen(lane, client) ?? false;
  }
}
