// The client that a key breaks: whoever that is.

/** @import { App } from '../shell/app.js' */
/** @import { Target } from './menu.js' */

/**
 * The client that has the focus or is chosen, or else who holds in the front lane; while
 * nobody does, whoever comes first.
 * @param {App} app @param {number} front which lane is in front
 * @returns {Target}
 */
export function chosenTarget({ standing: { subject }, view }, front) {
  const focused = document.activeElement?.closest('.client[data-client]');
  if (focused instanceof HTMLElement) return { lane: laneOf(focused), client: Number(focused.dataset['client']) };
  const drawn = view.lanes.find(({ info }) => info.name === subject?.lane)?.clients;
  if (subject?.client && drawn?.has(subject.client)) return { lane: subject.lane, client: subject.client };
  const lane = view.lanes[front] ?? view.lanes[0];
  const holder = [...lane?.clients.values() ?? []].find(({ state }) => state === 'holds');
  return lane && holder ? { lane: lane.info.name, client: holder.number } : { lane: '', client: -1 };
}

/** Beside which button the menu of a client opens: its own, if it is drawn. @param {Target} target */
export function anchorOf({ lane, client }) {
  const places = [`.lane[data-lane="${CSS.escape(lane)}"] .client[data-client="${client}"] .break`, '#panel-inspector .break', '.run-bar .break-any'];
  return places.map((each) => document.querySelector(each)).find((each) => each?.checkVisibility()) ?? document.body;
}

/** @param {Element} element */
const laneOf = (element) => element.closest('.lane')?.getAttribute('data-lane') ?? '';
