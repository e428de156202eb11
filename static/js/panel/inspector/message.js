// A frame or a watch in full: what it says, what belongs to it, and its way.

import { html, nothing } from '../../lit.js';
import { frameUpTo, journeyOf } from '../../model/history/frame.js';
import { directionOf } from '../../model/history/requests.js';
import { watchUpTo } from '../../model/history/watches.js';
import { roleOf } from '../../model/flights.js';
import { span, titleOf } from '../../text/format.js';
import { bytes, frameFields, journeyState, journeySteps, watchState, watchSteps, watchTarget } from '../../text/history.js';
import { t } from '../../text/language.js';
import { clientSubject, frameSubject, watchSubject, znodeSubject } from '../../play/subject.js';
import { fact, historyView, link, notTold } from './parts.js';
import { targetName } from '../words/words-view.js';

/** @import { Event } from '../../events.d.ts' */
/** @import { FrameHistory } from '../../model/history/frame.js' */
/** @import { PastWatch, WatchHistory } from '../../model/history/watches.js' */
/** @import { Lane } from '../../model/view.js' */
/** @import { Shown } from '../../play/shown.d.ts' */
/** @import { InspectorActions } from './parts.js' */

const roles = { request: t`Request`, reply: t`Reply`, notification: t`Notification`, ping: t`Ping` };

/**
 * @param {Shown} frame
 * @param {Lane} lane
 * @param {FrameHistory} whole of the whole log
 * @param {WatchHistory | undefined} watches on its path, the same
 * @param {number} seq the newest event that had happened
 * @param {InspectorActions} actions
 */
export function frameView(frame, lane, whole, watches, seq, actions) {
  const history = frameUpTo(whole, seq);
  const event = history.events.at(-1);
  const journey = journeyOf(history.events);
  const begins = whole.events[0];
  if (!event || !journey) return html`<p class="hint">${t`This frame is not sent yet.`}</p>${begins ? historyView(frame, [], actions, { next: begins.at }) : nothing}`;
  const dir = directionOf(event);
  const client = event.client ?? 0;
  const size = history.events.find(({ bytes }) => bytes)?.bytes;
  const nameOf = (/** @type {string} */ path) => targetName(lane, path);
  return html`
    <div class="subject"><h3>${roles[roleOf(event, dir)]}${event.op && roleOf(event, dir) !== 'ping' ? ` ${event.op === 'notification' ? event.type : event.op}` : ''}
      <span>${dir === 'out' ? t`of client ${client}, ${titleOf(lane.info).name}` : t`to client ${client}, ${titleOf(lane.info).name}`}</span></h3></div>
    ${event.path ? html`<p class="path">${event.path}</p>` : nothing}
    <div class="columns">
      <section><h4>${t`What it says`}</h4><dl>
        ${frameFields(event, nameOf).map(([name, value]) => fact(name, value))}
        ${fact(t`Frame`, dir === 'out' ? t`${event.frame} to ZooKeeper` : t`${event.frame} from ZooKeeper`)}
        ${fact(t`Size`, size ? bytes(size) : notTold)}</dl></section>
      <section><h4>${t`What belongs to it`}</h4><dl>
        ${fact(t`Client`, link(clientSubject(lane.info.name, client), t`client ${client}`, actions))}
        ${event.path && !(dir === 'out' && event.op === 'create')
          ? fact(t`Znode`, link(znodeSubject(lane.info.name, event.path), nameOf(event.path), actions)) : nothing}
        ${partner(history, dir, actions)}
        ${watchFacts(lane, history, watches?.all ?? [], seq, actions)}</dl></section>
      <section><h4>${t`Its way`}</h4>${historyView(frame, journeySteps(journey, dir), actions, { next: whole.events[history.events.length]?.at })}
        <p class="hint">${journeyState(journey)}</p></section>
    </div>`;
}

/** The request that it answers, or its answer. @param {FrameHistory} history @param {'in' | 'out'} dir @param {InspectorActions} actions */
function partner({ events, request, answer }, dir, actions) {
  const [event] = events;
  if (event?.op === 'notification') return nothing;
  const [other] = dir === 'in' ? request : answer;
  if (dir === 'in') return fact(t`Answers`, other ? link(frameSubject(other), t`the ${other.op} that was sent`, actions) : notTold, latencyOf(events));
  return fact(t`Answer`, other ? link(frameSubject(other), other.err || 'ok', actions) : t`not yet`, latencyOf(answer));
}

/** @param {Event[]} events of the answer */
function latencyOf(events) {
  const { latency } = events.at(-1) ?? {};
  return latency ? t`after ${span(latency)}, there and back` : '';
}

/** Which watch it asks for, sets, or uses up. @param {Lane} lane @param {FrameHistory} history @param {PastWatch[]} watches @param {number} seq @param {InspectorActions} actions */
function watchFacts(lane, { events, answer, name }, watches, seq, actions) {
  const reply = name.dir === 'out' ? answer[0] : events[0];
  const isOf = (/** @type {Event | undefined} */ event) => event !== undefined && reply !== undefined && event.client === reply.client
    && event.frame === reply.frame && directionOf(event) === directionOf(reply);
  const set = watches.filter((watch) => isOf(watch.set));
  const fired = watches.filter(({ fired: by }) => by && by.seq <= seq && isOf(by));
  const nameOf = (/** @type {string} */ path) => targetName(lane, path);
  const linked = (/** @type {PastWatch} */ watch) => link(watchSubject(lane.info.name, watch, watch.set.seq), watchTarget(watch, nameOf), actions);
  return html`${set.length ? fact(t`Sets a watch`, set.map(linked)) : nothing}${fired.length ? fact(t`Fires`, fired.map(linked)) : nothing}`;
}

/** @type {Record<PastWatch['on'], string>} */
const firesWhen = {
  data: t`its data changes, or it is created or deleted`,
  children: t`a child comes or goes, or it is deleted`,
  persistent: t`its data or its list of children changes, or it is created or deleted`,
  recursive: t`it, or anything below it, is created, changed or deleted`,
};

/**
 * @param {Shown} frame
 * @param {Lane} lane
 * @param {PastWatch | undefined} whole as far as the log goes
 * @param {number} seq the newest event that had happened
 * @param {InspectorActions} actions
 */
export function watchView(frame, lane, whole, seq, actions) {
  if (!whole || whole.set.seq > seq) {
    return html`<p class="hint">${t`This watch is not set yet.`}</p>${whole ? historyView(frame, [], actions, { next: whole.set.at }) : nothing}`;
  }
  const watch = watchUpTo(whole, seq);
  const { client, path, on, request, set, fired } = watch;
  const nameOf = (/** @type {string} */ each) => targetName(lane, each);
  const steps = watchSteps(watch);
  const next = watchSteps(whole).find(({ at }) => at > frame.at);
  return html`
    <div class="subject"><h3>${t`Watch of client ${client}`} <span>${t`on ${watchTarget(watch, nameOf)}, ${titleOf(lane.info).name}`}</span></h3></div>
    <div class="columns">
      <section><h4>${t`What it is`}</h4><dl>
        ${fact(t`State`, watchState(watch))}
        ${fact(t`Set by`, link(clientSubject(lane.info.name, client), t`client ${client}`, actions))}
        ${fact(t`On`, link(znodeSubject(lane.info.name, path), nameOf(path), actions))}
        ${fact(t`Fires when`, firesWhen[on], on === 'data' || on === 'children' ? t`once` : t`each time`)}
        ${fact(t`Request`, request ? link(frameSubject(request), request.op, actions) : notTold)}
        ${fact(t`Answer`, set === request ? notTold : link(frameSubject(set), set.err || 'ok', actions))}
        ${fact(t`Fired by`, fired ? link(frameSubject(fired), fired.type, actions) : t`nothing yet`)}</dl></section>
      <section><h4>${t`What became of it`}</h4>${historyView(frame, steps, actions, { next: next?.at })}</section>
    </div>`;
}
