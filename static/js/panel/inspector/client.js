// A client in full: what it believes beside what the server knows, and where it
// stands in its source, or in the code of its recipe.

import { html, nothing } from '../../lit.js';
import { grantedAt } from '../../model/belief.js';
import { expiryDue, gone, holdsUnconfirmed, isSilent } from '../../model/client.js';
import { isUnordered, placeOf } from '../../model/guests.js';
import { standsAt } from '../../model/recipe-line.js';
import { countdown, instant, participantWord, plainWord, sequence, span, stateWord, titleOf } from '../../text/format.js';
import { parts, t } from '../../text/language.js';
import { breakButton } from '../../stage/picture/client-view.js';
import { clientFaultWords } from '../../stage/picture/fault-marks.js';
import { glyph, shapeName } from '../../ui/shapes.js';
import { watchSubject, znodeSubject } from '../../play/subject.js';
import { fact, link, moment } from './parts.js';
import { targetName, watchedName } from '../words/words-view.js';

/** @import { Line } from '../../kinds.d.ts' */
/** @import { Client } from '../../model/client.js' */
/** @import { Catalogue } from '../../text/catalogue.js' */
/** @import { Lane } from '../../model/view.js' */
/** @import { ClientActions } from '../../stage/picture/client-view.js' */
/** @import { Shown } from '../../play/shown.d.ts' */
/** @import { InspectorActions } from './parts.js' */

/**
 * @param {Shown} shown
 * @param {Lane} lane
 * @param {Client} client
 * @param {string[]} awaits the requests that it may wait for
 * @param {InspectorActions} actions
 * @param {ClientActions} breaks
 */
export function clientView(shown, lane, client, awaits, actions, breaks) {
  const { catalogue, at: now } = shown;
  return html`
    <div class="subject">
      <h3><svg width="28" height="28" aria-hidden="true">${glyph(client.number, 14, 14, 25, client.participant !== '')}</svg>
        ${t`Client ${client.number}`} <span>${[shapeName(client.number), client.name, client.participant && t`a ${participantWord(client.participant)}`, titleOf(lane.info).name].filter(Boolean).join(t`, `)}</span></h3>
      ${breakButton(client, breaks)}
      <p class="note">${clientFaultWords(client, catalogue, now).join(t`; `)}</p>
    </div>
    <div class="columns">
      <section><h4>${t`The client believes`}</h4>${beliefView(lane, client, now, actions)}</section>
      <section><h4>${t`The server knows`}</h4>${truthView(lane, client, now, actions)}</section>
      ${client.participant ? nothing : programView(lane, client, awaits, catalogue)}
    </div>`;
}

/** @param {Lane} lane @param {Client} client @param {number} now @param {InspectorActions} actions */
function beliefView(lane, client, now, actions) {
  if (gone(client)) return html`<p class="hint">${client.state === 'crashed' ? t`nothing: the process is gone` : t`nothing: it has closed its session`}</p>`;
  if (isSilent(client)) return guestView(lane, client);
  const { predecessor } = client;
  return html`<dl>
    ${fact(t`State`, belief(client, span(Math.max(0, now - client.since))))}
    ${fact(t`Session`, client.session || t`none`)}
    ${fact(t`Waits for`, predecessor ? link(znodeSubject(lane.info.name, pathOf(lane, predecessor)), targetName(lane, predecessor), actions) : '–')}
    ${fact(t`Token`, client.token || '–')}</dl>`;
}

/** Of a guest only what its connection and the server show. @param {Lane} lane @param {Client} client */
function guestView(lane, client) {
  const place = placeOf(lane, client);
  const may = grantedAt(lane, place - 1) ? t`: by the queue it may hold` : '';
  const told = isUnordered(lane, place - 1) ? t`a znode without a number: it may hold` : place === 0 ? t`none in the queue` : t`${place - 1} znode ahead${may}|${place - 1} znodes ahead${may}`;
  return html`<p class="hint">${client.participant === 'console' ? t`What it believes, nobody can see: somebody types what it does.` : t`What it believes, nobody can see: its program says nothing of it.`}</p>
    <dl>${fact(t`Connection`, client.connection === 'connected' ? t`connected` : stateWord(client.connection))}${fact(t`Session`, client.session || t`none`)}${fact(t`By the queue`, told)}</dl>`;
}

/** A recipe may tell only the last part of a path. @param {Lane} lane @param {string} path */
const pathOf = ({ queue }, path) => (path.startsWith('/') ? path : `${queue.directory}/${path}`);

/** @param {Client} client @param {string} since */
const belief = (client, since) => t`${plainWord(client)}, for ${since}${holdsUnconfirmed(client) ? `; ${unconfirmed[client.connection]}` : ''}`;

/** What a holder without a connection has not heard, or not listened to. @type {Partial<Record<Client['connection'], string>>} */
const unconfirmed = { suspended: t`cut off, so it cannot know`, lost: t`its session is lost`, expired: t`its session has expired`, absent: t`its session is closed`, connected: t`its znode is gone` };

/** @param {Lane} lane @param {Client} client @param {number} now @param {InspectorActions} actions */
function truthView(lane, client, now, actions) {
  const { info, queue, watches } = lane;
  const node = queue.nodes.find((each) => each.client === client.number);
  const own = watches.get(client.number) ?? [];
  return html`<dl>
    ${fact(t`Znode`, node ? link(znodeSubject(info.name, node.path), sequence(node.sequence), actions) : t`none`, node && parts`since ${moment(node.createdAt, actions)}`)}
    ${fact(t`Watches`, own.length ? own.map((watch) => link(watchSubject(info.name, { client: client.number, ...watch }),
      watchedName(lane, watch), actions)) : t`none`)}
    ${fact(t`Session`, ...session(client, now, actions))}
    ${fact(t`Last heard`, client.timeout ? instant(client.contact) : '–', client.timeout ? t`${span(Math.max(0, now - client.contact))} ago` : '')}
    ${fact(t`Deadline`, ...deadline(client, now))}</dl>`;
}

/** How long it has lasted, or that it is over, and when it began. @param {Client} client @param {number} now @param {InspectorActions} actions @returns {[string, unknown]} */
function session(client, now, actions) {
  if (!client.grantedAt) return ['–', ''];
  const over = !client.session || (client.state === 'crashed' && expiryDue(client) <= now);
  const began = moment(client.grantedAt, actions);
  return over ? [t`ended`, parts`it began at ${began}`] : [span(now - client.grantedAt), parts`since ${began}`];
}

/** When the server ends the session unless it hears from the client. @param {Client} client @param {number} now @returns {[string, string]} */
function deadline(client, now) {
  if (!client.timeout || (!client.session && client.state !== 'crashed')) return ['–', ''];
  const left = expiryDue(client) - now;
  const timeout = t`timeout ${span(client.timeout * 1000)}`;
  return left > 0 ? [instant(expiryDue(client)), t`in ${countdown(left)}; ${timeout}`] : [instant(expiryDue(client)), t`has passed; ${timeout}`];
}

/** What the client's program does, and where it stands: the source that a visitor has written, or else the recipe. @param {Lane} lane @param {Client} client @param {string[]} awaits @param {Catalogue} catalogue */
function programView(lane, client, awaits, catalogue) {
  const { source, recipe } = lane.info;
  if (source) return codeView(client, t`Its source`, '', source.trimEnd().split('\n').map((text) => ({ text })), gone(client) || client.state === 'absent' || !client.line ? [] : [client.line - 1]);
  const { code, title } = catalogue.recipe(recipe);
  if (!code.length) return nothing;
  const watching = (lane.watches.get(client.number) ?? []).some(({ fired }) => !fired);
  return codeView(client, t`Its recipe`, title, code, standsAt(code, client, awaits.length || !watching ? awaits : ['notification']));
}

/** @param {Client} client @param {string} kind @param {string} title @param {Line[]} code @param {number[]} lines where it may stand, by their indexes */
function codeView(client, kind, title, code, lines) {
  return html`<section class="recipe"><h4>${kind} <span>${title}</span></h4>
    <ol class="code">${code.map((line, index) => lineView(line, lines.includes(index), lines.length > 1))}</ol>
    <p class="hint">${whereabouts(client, lines.length)}</p>
  </section>`;
}

/** @param {Line} line @param {boolean} here @param {boolean} several @returns {unknown} */
function lineView({ text, wrong }, here, several) {
  return html`<li class="${here ? 'here' : ''} ${wrong ? 'wrong' : ''}" aria-current=${here && !several ? 'step' : nothing}>
    <span class="at">${here ? html`<span aria-hidden="true">▶</span><span class="unseen">${several ? t`perhaps here: ` : t`here: `}</span>` : nothing}</span>
    <code>${text.slice(0, -text.trimStart().length)}<span>${text.trimStart()}</span></code>${wrong ? html`<em><span aria-hidden="true">✗</span> ${wrong}</em>` : nothing}</li>`;
}

/** What the mark at a line does not say. @param {Client} client @param {number} lines where it may stand */
function whereabouts(client, lines) {
  if (gone(client)) return t`It stands nowhere: the process does not run.`;
  if (client.connection === 'suspended') return lines ? t`It has no connection; it stands where it stood before.` : t`It has no connection.`;
  if (lines > 1) return t`It stands at one of the marked lines: the log does not tell at which.`;
  if (client.state !== 'absent') return '';
  return client.grantedAt ? t`It has ended, and closed its session.` : t`It has not begun.`;
}
