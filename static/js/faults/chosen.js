// The client that a key breaks: whoever that is.

/** Opens the menu of the client that has the focus, or that the inspector shows; while nobody holds, that of whoever comes first. @param {import('../shell/app.js').App} app */
export function openChosen({ subject }) {
  const own = document.activeElement?.closest('.client')?.querySelector('.break');
  const shown = subject?.client && document.querySelector(`.lane[data-lane="${subject.lane}"] .client[data-client="${subject.client}"] .break`);
  const holder = document.querySelector('.lane.front .client.is-holds .break');
  const inspected = document.querySelector('#panel-inspector:not([hidden]) .break');
  const anchor = own || shown || inspected || holder || document.querySelector('.run-bar .break-any');
  if (anchor instanceof HTMLElement) anchor.click();
}
