// The menu "Break…": every fault of a client or of the servers, with what it
// does, or why it is not possible now; and what can be armed for whoever comes first,
// or comes again and again. One menu for the whole page.

import { argumentsOf } from '../text/catalogue.js';
import { FaultFields } from './fault-fields.js';
import { disarm, injectIntoClient, injectIntoServers } from './commands.js';
import { groupsOf, impossible, LENGTHS, refusal, START_AGAIN } from './groups.js';
import { clientWord } from '../text/format.js';
import { t } from '../text/language.js';
import { InjectionView } from './injection-view.js';
import { html, nothing, render } from '../lit.js';
import { armedFor } from '../model/armed.js';
import { gone } from '../model/client.js';
import { armedWords } from '../stage/picture/fault-marks.js';
import { clientFaultWords, faultShape, faultWords } from '../stage/picture/fault-marks.js';

/** @import { App } from '../shell/app.js' */
/** @import { Group } from './groups.js' */
/** @import { Lane } from '../model/view.js' */
/** @import { FaultKind } from '../types.d.ts' */

/** @typedef {{ lane: string, client: number }} Target a client; 0 are the servers, below 0 is whoever comes first in each lane */

export class FaultMenu {
  /** @type {App} */ #app;
  /** @type {HTMLElement} */ #menu;
  /** @type {() => void} */ #changed;
  /** @type {Target | undefined} */ #target;
  /** @type {Element | undefined} */ #anchor;
  /** The pointer went down on the open menu's own button: that closes it, and the click must not open it again. */
  #dismissed = false;
  #seconds = 5;
  /** The moment that the menu's faults wait for, empty for none. */
  #when = '';
  /** @type {InjectionView} */ #injection;
  /** @type {FaultFields} */ #fields;

  /** @param {App} app @param {HTMLElement} menu a popover @param {() => void} changed */
  constructor(app, menu, changed) {
    this.#app = app;
    this.#menu = menu;
    this.#changed = changed;
    this.#injection = new InjectionView(app);
    this.#fields = new FaultFields(changed);
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
    this.#when = target.client < 0 ? this.#app.catalogue.moments[0]?.name ?? '' : '';
    this.draw(this.#app.playback.playhead.instant(performance.now()).at);
    this.#menu.showPopover();
    this.#place(anchor.getBoundingClientRect());
    this.#first()?.focus({ preventScroll: true });
    this.#menu.scrollTop = 0; // where it was left
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
    if (client < 0) return render(this.#anybodyMenu(), this.#menu);
    const lane = this.#app.view.lanes.find((each) => each.info.name === name);
    if (client && !lane?.clients.has(client)) return this.close();
    render(lane && client ? this.#clientMenu(lane, client, now) : this.#serverMenu(now), this.#menu);
  }

  /** What a fault is asked for. @param {FaultKind} fault */
  #given(fault) {
    return argumentsOf(fault, this.#seconds, this.#fields.chosenOf(fault));
  }

  /** @param {Lane} lane @param {number} number @param {number} now */
  #clientMenu(lane, number, now) {
    const client = lane.clients.get(number);
    if (!client) return nothing;
    const { catalogue } = this.#app;
    const state = [clientWord(client), ...clientFaultWords(client, catalogue, now)].join(' · ');
    const inject = (/** @type {FaultKind} */ fault) => injectIntoClient(this.#app, { lane: lane.info.name, client: number }, fault.name, this.#given(fault), this.#when);
    const reason = refusal(this.#app, client);
    if (gone(client) && this.#app.run?.state === 'running') {
      return this.#view({ title: t`Client ${number}`, state, reason: '', whyNot: () => '', inject,
        more: html`<p class="fault-note">${t`Nothing else is possible: ${reason}.`}</p>`,
        groups: groupsOf([catalogue.fault(START_AGAIN)]) });
    }
    return this.#view({ title: t`Break client ${number}`, state, reason, groups: groupsOf(catalogue.faultsOf('client')), inject,
      more: html`${this.#whenView(t`now`)}${this.#armedView([lane], number)}`,
      whyNot: (fault) => impossible(this.#app, client.faults, fault, now, this.#when) });
  }

  /** What is for no client in particular. */
  #anybodyMenu() {
    const { catalogue, view } = this.#app;
    const reason = refusal(this.#app);
    const held = view.lanes.some(({ clients }) => [...clients.values()].some(({ state }) => state === 'holds'));
    return this.#view({ title: t`Break whoever comes first`, state: held ? t`in each lane` : t`in each lane; nobody holds now`, reason,
      groups: groupsOf(catalogue.faultsOf('client').filter(({ arms }) => arms)),
      more: html`${this.#injection.view(reason !== '')}${this.#whenView('')}${this.#armedView(view.lanes, 0)}`,
      whyNot: () => '',
      inject: (fault) => injectIntoClient(this.#app, { lane: '', client: 0 }, fault.name, this.#given(fault), this.#when) });
  }

  /** @param {number} now */
  #serverMenu(now) {
    const { catalogue, view } = this.#app;
    const state = faultWords(view.outages, catalogue, now).join(' · ');
    const reason = this.#app.ownServers ? refusal(this.#app) : t`this playground did not start the servers, so break them where they run`;
    return this.#view({ title: t`Break ZooKeeper`, state, reason, groups: groupsOf(catalogue.faultsOf('server')),
      whyNot: (fault) => impossible(this.#app, view.outages, fault, now),
      inject: (fault) => injectIntoServers(this.#app, fault.name, this.#given(fault)) });
  }

  /** Which moment the faults wait for. @param {string} now the word for none, empty where there has to be one */
  #whenView(now) {
    const choose = (/** @type {Event} */ event) => {
      this.#when = /** @type {HTMLSelectElement} */ (event.target).value;
      this.#changed();
    };
    const { catalogue } = this.#app;
    const moments = [...(now ? [{ name: '', title: now, sentence: '' }] : []), ...catalogue.moments];
    return html`<p class="fault-when"><label class="field length"><span>${t`When`}</span><select @change=${choose}>
      ${moments.map(({ name, title }) => html`<option value=${name} .selected=${name === this.#when}>${title}</option>`)}</select></label>
      <span>${this.#when ? t`${catalogue.moment(this.#when).sentence}: armed until then` : ''}</span></p>`;
  }

  /** What is armed already, and the way back. @param {Lane[]} lanes @param {number} client */
  #armedView(lanes, client) {
    const armed = lanes.flatMap((lane) => armedFor(lane.armed, client).map((each) => ({ ...each, lane: lane.info.name })));
    return armed.length ? html`<ul class="fault-armed">${armed.map((each) => html`<li><span>${lanes.length > 1 ? t`Armed, ${each.lane}: ${armedWords(each, this.#app.catalogue)}`
      : t`Armed: ${armedWords(each, this.#app.catalogue)}`}</span> <button type="button" class="tool" @click=${() => disarm(this.#app, each.lane, client, each.fault)}>${t`Disarm`}</button></li>`)}</ul>` : nothing;
  }

  /**
   * @param {object} menu
   * @param {string} menu.title
   * @param {string} menu.state
   * @param {string} menu.reason why none of the faults is possible, or empty
   * @param {unknown} [menu.more] what stands above the faults
   * @param {Group[]} menu.groups
   * @param {(fault: FaultKind) => string} menu.whyNot why one is not, or empty
   * @param {(fault: FaultKind) => unknown} menu.inject
   */
  #view({ title, state, reason, more = nothing, groups, whyNot, inject }) {
    return html`<div class="fault-head"><h2 id="fault-menu-title">${title}</h2><p>${state}</p>
      <button type="button" class="fault-close" aria-label=${t`Close the menu`} @click=${() => this.close()}>✕</button>
      ${reason ? html`<p class="fault-refusal">${t`Nothing is possible: ${reason}.`}</p>` : nothing}</div>
      ${more}
      ${groups.map((group) => html`<div class="fault-group"><h3>${group.title}</h3>${group.lasts ? this.#lengthView() : nothing}</div>
        <ul>${group.faults.map((fault) => html`<li>${this.#itemView(fault, reason !== '', whyNot(fault), inject)}</li>`)}</ul>`)}`;
  }

  #lengthView() {
    /** @param {Event} event */
    const choose = (event) => {
      this.#seconds = Number(/** @type {HTMLSelectElement} */ (event.target).value);
      this.#changed();
    };
    return html`<label class="field length"><span>${t`for`}</span><select @change=${choose}>
      ${LENGTHS.map((each) => html`<option value=${each} .selected=${each === this.#seconds}>${each ? t`${each} s` : t`until healed`}</option>`)}</select></label>`;
  }

  /** @param {FaultKind} fault @param {boolean} none no fault is possible @param {string} why this one is not @param {(fault: FaultKind) => unknown} inject */
  #itemView(fault, none, why, inject) {
    const off = none || why !== '';
    const choose = () => {
      if (off) return;
      this.close();
      inject(fault);
    };
    return html`<button type="button" class="fault-item" data-fault=${fault.name} aria-disabled=${String(off)} @click=${choose}>
      ${faultShape(fault.name, this.#app.catalogue)}<span class="fault-name">${fault.title}</span>
      <span class="fault-length">${fault.lasts && !fault.endless && !this.#seconds ? t`over at once` : ''}</span>
      <span class="fault-text">${why && !none ? t`Not possible: ${why}.` : fault.sentence}</span></button>${off ? nothing : this.#fields.view(fault)}`;
  }

  /** @returns {HTMLElement[]} */
  #items() {
    return [...this.#menu.querySelectorAll('.fault-item')].filter((each) => each instanceof HTMLElement);
  }

  /** The first that can be chosen; else that says why not. */
  #first() {
    const items = this.#items();
    return items.find((each) => each.getAttribute('aria-disabled') === 'false') ?? items[0];
  }

  /** @param {KeyboardEvent} event */
  #move(event) {
    const items = this.#items();
    const here = items.findIndex((each) => each === document.activeElement);
    const target = { ArrowDown: here + 1, ArrowUp: here < 0 ? -1 : here - 1, Home: 0, End: -1 }[event.key];
    if (target === undefined || /** @type {Element} */ (event.target).closest('select, input')) return;
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
