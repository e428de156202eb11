// The room's tree beside the queues: every znode that guests make, of which kind it is and
// whose, who watches it, and how it goes. A tree of lines, one for each lane that has
// anything to show.

import { html, nothing, render, repeat, svg } from '../../lit.js';
import { isStray } from '../../model/guests.js';
import { sequenceDigits } from '../../model/queue.js';
import { hasTree, parentOf } from '../../model/tree.js';
import { countdown, titleOf } from '../../text/format.js';
import { t } from '../../text/language.js';
import { lineWords, partWord, wentWords } from './words.js';
import { endOf } from '../picture/queue-view.js';
import { glyph } from '../../ui/shapes.js';
import { keyOf, watchSubject, znodeSubject } from '../../play/subject.js';
import { linesOf } from './tree-lines.js';

/** @import { Lane } from '../../model/view.js' */
/** @import { Shown, Subject } from '../../play/shown.d.ts' */
/** @import { Folds, Line, Watching } from './tree-lines.js' */

export class TreeView {
  /** @type {HTMLElement} */ #host;
  /** @type {{ inspect: (subject: Subject) => void, redraw: () => void }} */ #actions;
  /** By lane. @type {Map<string, Folds>} */ #folds = new Map();
  /** The line of each lane that the tab key stops at. @type {Map<string, string>} */ #stops = new Map();

  /** @param {HTMLElement} host @param {{ inspect: (subject: Subject) => void, redraw: () => void }} actions */
  constructor(host, actions) {
    this.#host = host;
    this.#actions = actions;
  }

  /** @param {Shown} frame @param {boolean} wanted also where there is nothing to show yet */
  draw(frame, wanted) {
    const { lanes } = frame.view;
    const some = lanes.filter((lane) => hasTree(lane, frame.at));
    const shown = some.length || !wanted ? some : lanes.filter(({ info }) => !info.store).slice(0, 1);
    this.#host.hidden = !shown.length;
    const focused = this.#host.contains(document.activeElement);
    render(repeat(shown, ({ info }) => info.name, (lane) => this.#laneView(lane, frame, lanes.length > 1)), this.#host);
    if (focused && !this.#host.contains(document.activeElement)) /** @type {HTMLElement | null} */ (this.#host.querySelector('[tabindex="0"]'))?.focus();
  }

  /** @param {Lane} lane @param {Shown} frame @param {boolean} several */
  #laneView(lane, frame, several) {
    const { name } = lane.info;
    const folds = this.#folds.get(name) ?? new Map();
    this.#folds.set(name, folds);
    const lines = linesOf(lane, frame.at, folds);
    const stop = lines.some(({ path }) => path === this.#stops.get(name)) ? this.#stops.get(name) : lines[0]?.path;
    const empty = lines.every(({ kind }) => kind === 'root' || kind === 'made');
    return html`<section class="tree-lane">
      <h3>${several ? t`Znodes of ${titleOf(lane.info).name}` : t`Znodes`}</h3>
      <ul role="tree" aria-label=${t`Znodes of ${titleOf(lane.info).name}: arrow keys go along them`} @keydown=${(/** @type {KeyboardEvent} */ event) => this.#key(event, lane, lines)}
        @focusin=${(/** @type {FocusEvent} */ { target }) => this.#stopAt(name, target)}>
        ${repeat(lines, ({ path }) => path, (line) => this.#lineView(line, lane, frame, line.path === stop))}
      </ul>
      ${empty ? html`<p class="hint">${t`What you make beside the lock appears here.`}</p>` : nothing}
    </section>`;
  }

  /** @param {Line} line @param {Lane} lane @param {Shown} frame @param {boolean} stop */
  #lineView(line, lane, frame, stop) {
    const { path, level, open, kind } = line;
    const subject = znodeSubject(lane.info.name, path);
    const chosen = keyOf(frame.selection) === keyOf(subject);
    const owner = line.znode?.session ? lane.clients.get(line.znode.client) : undefined;
    const end = owner && line.znode && kind === 'znode' ? endOf({ session: line.znode.session }, owner) : 0;
    const left = end ? countdown(end - frame.at) : '';
    return html`<li role="treeitem" class="line is-${kind} ${left ? 'is-ending' : ''}" aria-level=${level} aria-expanded=${open === undefined ? nothing : String(open)}
      aria-selected=${String(chosen)} tabindex=${stop ? 0 : -1} data-path=${path} title=${lineWords(line, lane, left)} @click=${() => this.#act(line, lane)}>
      <span class="twisty" aria-hidden="true" @click=${(/** @type {Event} */ event) => this.#fold(event, line, lane)}>${open === undefined ? '' : open ? '▾' : '▸'}</span>
      ${kind === 'more' ? html`<span class="rest">${line.counted ? t`and ${line.count} more, only counted` : t`and ${line.count} more`}</span>`
        : html`<span class="box">${nameView(line.name, line)}${dataView(line)}</span>${aboutView(line, lane, left, frame.catalogue.recipe(lane.info.recipe).noQueue)}`}
      ${line.watches.map((watching) => this.#watchView(watching, lane, frame))}
      ${line.told.map((told) => html`<span class="watching is-told">${arrow(true)}${glyphOf(told.client, lane)}<span>${t`told: ${told.type}`}</span></span>`)}
    </li>`;
  }

  /** @param {Watching} watching @param {Lane} lane @param {Shown} frame */
  #watchView({ client, watch }, lane, frame) {
    const subject = watchSubject(lane.info.name, { client, ...watch });
    return html`<button type="button" tabindex="-1" class="watching ${watch.fired ? 'is-told' : ''}" aria-current=${keyOf(frame.selection) === keyOf(subject) ? 'true' : nothing}
      aria-label=${watch.fired ? t`The watch of client ${client} fires` : t`Watch of client ${client}: ${partWord(watch.on)}`}
      @click=${(/** @type {Event} */ event) => this.#inspect(event, subject)}>${arrow(watch.fired)}${glyphOf(client, lane)}<span>${watch.fired ? t`fires` : partWord(watch.on)}</span></button>`;
  }

  /** @param {Event} event @param {Subject} subject */
  #inspect(event, subject) {
    event.stopPropagation();
    this.#actions.inspect(subject);
  }

  /** @param {Line} line @param {Lane} lane */
  #act(line, lane) {
    if (line.kind !== 'more') return this.#actions.inspect(znodeSubject(lane.info.name, line.path));
    if (!line.counted) this.#setFold(lane, line.path.slice(0, -2), 'all');
  }

  /** @param {Event} event @param {Line} line @param {Lane} lane */
  #fold(event, { path, open }, lane) {
    if (open === undefined) return;
    event.stopPropagation();
    this.#setFold(lane, path, open ? 'closed' : 'first');
  }

  /** @param {Lane} lane @param {string} path @param {'all' | 'first' | 'closed'} fold */
  #setFold({ info }, path, fold) {
    this.#folds.get(info.name)?.set(path, fold);
    this.#actions.redraw();
  }

  /** @param {string} lane @param {EventTarget | null} target */
  #stopAt(lane, target) {
    const path = /** @type {Element} */ (target).closest('[role=treeitem]')?.getAttribute('data-path');
    if (path && this.#stops.get(lane) !== path) {
      this.#stops.set(lane, path);
      this.#actions.redraw();
    }
  }

  /** As in a tree view; right from a line without children goes on to its watches. @param {KeyboardEvent} event @param {Lane} lane @param {Line[]} lines */
  #key(event, lane, lines) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const target = /** @type {HTMLElement} */ (event.target);
    const item = /** @type {HTMLElement} */ (target.closest('[role=treeitem]'));
    const index = lines.findIndex(({ path }) => path === item?.dataset['path']);
    const line = lines[index];
    if (!line) return;
    const items = /** @type {HTMLElement[]} */ ([...item.parentElement?.children ?? []]);
    const chips = [.../** @type {NodeListOf<HTMLElement>} */ (item.querySelectorAll('button'))];
    const chip = chips.indexOf(/** @type {HTMLButtonElement} */ (target));
    const above = lines.findLastIndex((each, at) => at < index && each.level < line.level);
    /** @type {Record<string, () => void>} */
    const moves = {
      ArrowDown: () => items[index + 1]?.focus(),
      ArrowUp: () => items[index - 1]?.focus(),
      Home: () => items[0]?.focus(),
      End: () => items.at(-1)?.focus(),
      ArrowRight: () => (line.open === false ? this.#setFold(lane, line.path, 'first') : (chips[chip + 1] ?? (chip < 0 && line.open ? items[index + 1] : undefined))?.focus()),
      ArrowLeft: () => (chip >= 0 ? (chips[chip - 1] ?? item).focus() : line.open ? this.#setFold(lane, line.path, 'closed') : items[above]?.focus()),
      ...(chip < 0 && { Enter: () => this.#act(line, lane), ' ': () => this.#act(line, lane) }),
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    event.stopPropagation();
    move();
  }
}

/** The number that the server gave stands out. @param {string} name @param {Line} line */
function nameView(name, { znode }) {
  if (!znode?.flags.includes('sequential')) return name;
  return html`${name.slice(0, -sequenceDigits)}<b>${name.slice(-sequenceDigits)}</b>`;
}

/** @param {Line} line */
function dataView({ znode }) {
  if (!znode?.bytes) return nothing;
  return html`<q class="data">${znode.data || t`${znode.bytes} byte|${znode.bytes} bytes`}</q>`;
}

/** What is beside the box: whose it is, of which kind, or how it stands. @param {Line} line @param {Lane} lane @param {string} left until its session ends @param {boolean | undefined} noQueue who is the quickest holds */
function aboutView(line, lane, left, noQueue) {
  const { kind, znode, children, watchers } = line;
  const words = [
    kind === 'gone' ? wentWords(/** @type {NonNullable<typeof znode>} */ (znode)) : kind === 'ghost' ? t`is not there` : '',
    kind === 'made' && lane.queue.directories.includes(line.path) ? noQueue ? t`${children} znode|${children} znodes` : t`${children - straysIn(lane, line.path)} in the queue` : '',
    watchers ? t`watched by ${watchers}` : '',
  ].filter(Boolean);
  return html`${znode?.session ? glyphOf(znode.client, lane) : nothing}<span class="about">${kind === 'znode' && znode ? left ? html`<strong>${left}</strong>` : kindWord(znode) : words.join(t`, `)}</span>`;
}

/** How many znodes of a lock's directory have no place in its queue. @param {Lane} lane @param {string} directory */
const straysIn = (lane, directory) => lane.queue.nodes.filter((node) => parentOf(node.path) === directory && isStray(lane, node)).length;

/** @param {import('../../model/tree.js').Znode} znode */
function kindWord({ session, flags }) {
  if (session) return t`ephemeral`;
  if (flags.includes('container')) return t`container`;
  return flags.includes('ttl') ? t`persistent, with a time to live` : t`persistent`;
}

/** @param {number} client @param {Lane} lane */
const glyphOf = (client, lane) => html`<svg class="own" width="18" height="18" viewBox="0 0 18 18" aria-hidden="true">${glyph(client, 9, 9, 17, lane.clients.get(client)?.participant !== '')}</svg><span class="unseen">${t`client ${client}`}</span>`;

/** From a client to what it watches; the other way when it is told. @param {boolean} told */
const arrow = (told) => html`<svg class="arrow-mark" width="28" height="10" viewBox="0 0 28 10" aria-hidden="true">${told
  ? svg`<path d="M2 5H25M21 1L25 5L21 9"></path>` : svg`<path d="M26 5H3M7 1L3 5L7 9"></path>`}</svg>`;
