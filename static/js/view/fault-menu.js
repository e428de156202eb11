// The menu "Break…": every fault of a client or of the servers, with what it
// does, or why it is not possible now. One menu for the whole page.

import { clientWord, countdown } from '../format.js';
import { clientFaults, impossible, impossibleForServers, LENGTHS, serverFaults } from '../faults.js';
import { html, nothing, render } from '../lit.js';
import { faultShape, faultWord, markWords } from './fault-marks.js';

/** @import { App } from '../app.js' */
/** @import { Fault, Group } from '../faults.js' */
/** @import { Lane } from '../model/view.js' */

/** @typedef {{ lane: string, client: number }} Target a client; 0 stands for the servers */

export class FaultMenu {
  /** @type {App} */ #app;
  /** @type {HTMLElement} */ #menu;
  /** @type {() => void} */ #changed;
  /** @type {Target | undefined} */ #target;
  /** @type {Element | undefined} */ #anchor;
  /** The pointer went down on the open menu's own button: that closes it, and the click must not open it again. */
  #dismissed = false;
  #seconds = 5;

  /** @param {App} app @param {HTMLElement} menu a popover @param {() => void} changed */
  constructor(app, menu, changed) {
    this.#app = app;
    this.#menu = menu;
    this.#changed = changed;
    menu.addEventListener('toggle', (event) => /** @type {ToggleEvent} */ (event).newState === 'closed' && this.#closed());
    document.addEventListener('pointerdown', (event) => this.#pressed(/** @type {Node} */ (event.target)), true);
    menu.addEventListener('keydown', (event) => this.#move(event));
  }

  /** Whether the menu of a client is open. @param {string} lane @param {number} client */
  isOpen(lane, client) {
    return this.#target?.lane === lane && this.#target.client === client;
  }

  /** @param {Node} target */
  #pressed(target) {
    this.#dismissed = this.#target !== undefined && this.#anchor?.contains(target) === true;
  }

  /** Opens the menu beside a button, unless the same click has closed it. @param {Element} anchor @param {Target} target */
  open(anchor, target) {
    const dismissed = this.#dismissed;
    this.#dismissed = false;
    if (dismissed) return;
    this.#anchor = anchor;
    this.#target = target;
    this.draw(this.#app.clock.shown(performance.now()));
    this.#menu.showPopover();
    this.#place(anchor.getBoundingClientRect());
    this.#items()[0]?.focus();
    this.#changed();
  }

  close() {
    if (this.#target) this.#menu.hidePopover();
  }

  #closed() {
    this.#target = undefined;
    this.#changed();
  }

  /** @param {number} now */
  draw(now) {
    if (!this.#target) return;
    const { lane: name, client } = this.#target;
    const lane = this.#app.view.lanes.find((each) => each.info.name === name);
    if (client && !lane?.clients.has(client)) return this.close();
    render(lane && client ? this.#clientMenu(lane, client, now) : this.#serverMenu(now), this.#menu);
  }

  /** @param {Lane} lane @param {number} number @param {number} now */
  #clientMenu(lane, number, now) {
    const client = lane.clients.get(number);
    if (!client) return nothing;
    const state = [clientWord(client), ...markWords(client, now)].join(' · ');
    return this.#view(`Break client ${number}`, state, clientFaults(this.#app.faults.clients),
      (fault) => impossible(this.#app, lane, client, fault),
      (fault) => this.#app.inject(lane.info.name, number, fault, this.#seconds));
  }

  /** @param {number} now */
  #serverMenu(now) {
    const down = [...this.#app.view.outages.values()].map(({ fault, until }) =>
      faultWord(fault) + (until > now ? `, heals in ${countdown(until - now)}` : ''));
    return this.#view('Break ZooKeeper', down.join(' · '), serverFaults(this.#app.faults.servers),
      (fault) => impossibleForServers(this.#app, fault),
      (fault) => this.#app.injectIntoServers(fault, this.#seconds));
  }

  /**
   * @param {string} title
   * @param {string} state
   * @param {Group[]} groups
   * @param {(fault: string) => string} refusal
   * @param {(fault: string) => unknown} inject
   */
  #view(title, state, groups, refusal, inject) {
    return html`<div class="fault-head"><h2 id="fault-menu-title">${title}</h2><p>${state}</p></div>
      ${this.#lasts(groups) ? this.#lengthView() : nothing}
      ${groups.map((group) => html`<h3>${group.title}</h3><ul>${group.faults.map((fault) =>
        html`<li>${this.#itemView(fault, refusal(fault.name), inject)}</li>`)}</ul>`)}`;
  }

  /** @param {Group[]} groups */
  #lasts(groups) {
    return groups.some(({ faults }) => faults.some(({ name }) => this.#app.faults.lasting.includes(name)));
  }

  #lengthView() {
    /** @param {Event} event */
    const choose = (event) => {
      this.#seconds = Number(/** @type {HTMLSelectElement} */ (event.target).value);
      this.#changed();
    };
    return html`<label class="field length"><span>How long</span><select @change=${choose}>
      ${LENGTHS.map((each) => html`<option value=${each} .selected=${each === this.#seconds}>${lengthWord(each)}</option>`)}</select></label>`;
  }

  /** @param {Fault} fault @param {string} refusal @param {(fault: string) => unknown} inject */
  #itemView({ name, title, text }, refusal, inject) {
    const lasts = this.#app.faults.lasting.includes(name);
    const hit = () => {
      if (refusal) return;
      this.close();
      inject(name);
    };
    return html`<button type="button" class="fault-item" data-fault=${name} aria-disabled=${refusal ? 'true' : 'false'} @click=${hit}>
      ${faultShape(name)}<span class="fault-name">${title}</span>
      ${lasts ? html`<span class="fault-length">${lengthWord(this.#seconds)}</span>` : nothing}
      <span class="fault-text">${refusal ? `Not possible: ${refusal}.` : text}</span></button>`;
  }

  /** @returns {HTMLElement[]} */
  #items() {
    return [...this.#menu.querySelectorAll('.fault-item')].filter((each) => each instanceof HTMLElement);
  }

  /** @param {KeyboardEvent} event */
  #move(event) {
    const items = this.#items();
    const here = items.findIndex((each) => each === document.activeElement);
    const target = { ArrowDown: here + 1, ArrowUp: here < 0 ? -1 : here - 1, Home: 0, End: -1 }[event.key];
    if (target === undefined || /** @type {Element} */ (event.target).closest('select')) return;
    event.preventDefault();
    items.at(target % items.length)?.focus();
  }

  /** Beside its button, and inside the window. @param {DOMRect} anchor */
  #place(anchor) {
    const { offsetWidth: width, offsetHeight: height, style } = this.#menu;
    const gap = 8;
    const beside = anchor.right + gap + width < innerWidth ? anchor.right + gap : anchor.left - gap - width;
    const fits = beside >= gap && anchor.top > BAR;
    const left = fits ? beside : Math.max(gap, Math.min(anchor.left, innerWidth - width - gap));
    const top = fits ? anchor.top : anchor.bottom + gap;
    style.setProperty('left', `${left}px`);
    style.setProperty('top', `${Math.max(gap, Math.min(top, innerHeight - height - gap))}px`);
  }
}

/** Buttons this near to the top have the menu below them. */
const BAR = 64;

/** @param {number} seconds */
const lengthWord = (seconds) => (seconds ? `${seconds} s` : 'until healed');
