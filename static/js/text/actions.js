// Everything that can be done on a page by a key or a button, in words: the buttons'
// tooltips and the help say the same.

import { t } from './language.js';

/** @typedef {{ key: string, title: string }} ActionWords key: as KeyboardEvent.key in lower case, empty for none */

export const actionWords = /** @satisfies {Record<string, ActionWords>} */ ({
  start: { key: 's', title: t`start or restart` },
  stop: { key: 'x', title: t`stop the run` },
  break: { key: 'b', title: t`break the client that has the focus, or else the holder; while nobody holds, arm a fault for whoever does next` },
  next: { key: 'n', title: t`while messages are held: deliver the next one` },
  pause: { key: 'k', title: t`pause my view; the run goes on` },
  play: { key: 'k', title: t`play on from here` },
  keyMoments: { key: 'h', title: t`let my view pause by itself at key moments, or not` },
  live: { key: 'g', title: t`back to live, or to the end of a run that is over` },
  eventBack: { key: ',', title: t`one event back` },
  eventOn: { key: '.', title: t`one event on` },
  markBack: { key: '[', title: t`to the mark before` },
  markOn: { key: ']', title: t`to the next mark` },
  save: { key: '', title: t`save the run so far as a recording` },
  exportPage: { key: '', title: t`save the run so far as a page that works without a server` },
  copyLink: { key: '', title: t`copy a link to this moment` },
  open: { key: '', title: t`open a recording; or drop one on the page` },
  events: { key: 'e', title: t`show the events` },
  sequence: { key: 'q', title: t`show the sequence diagram, or the picture again` },
  words: { key: 'w', title: t`show the picture in words` },
  inspector: { key: 'i', title: t`show the inspector` },
  belief: { key: 'a', title: t`show what the clients believe beside what is true` },
  console: { key: 'z', title: t`show the console, to type commands as a client yourself; there, Tab completes, and Esc then Tab goes on` },
  steps: { key: 'm', title: t`show the messages, to deliver them by hand` },
  numbers: { key: 'c', title: t`show what it costs: the numbers, as they were and are, and over time` },
  source: { key: 'y', title: t`write a lock of your own, and run it` },
  lesson: { key: 'l', title: t`show or hide the lesson` },
  present: { key: 'p', title: t`present: large type, nothing but the lanes and the time` },
  firstLane: { key: '1', title: t`while presenting: the first lane alone` },
  secondLane: { key: '2', title: t`while presenting: the second lane alone` },
  allLanes: { key: '0', title: t`while presenting: all lanes` },
  closeResult: { key: 'escape', title: t`close the result of a run that is over` },
  leave: { key: 'escape', title: t`leave the presentation` },
  theme: { key: 't', title: t`light or dark` },
  help: { key: '?', title: t`this help` },
  tour: { key: '', title: t`three minutes for who is new here` },
});

/** @typedef {keyof typeof actionWords} ActionName */
