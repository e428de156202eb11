// Everything that can be done on a page by a key or a button, in words: the buttons'
// tooltips and the help say the same.

/** @typedef {{ key: string, title: string }} ActionWords key: as KeyboardEvent.key in lower case, empty for none */

export const actionWords = /** @satisfies {Record<string, ActionWords>} */ ({
  start: { key: 's', title: 'start or restart' },
  stop: { key: 'x', title: 'stop the run' },
  break: { key: 'b', title: 'break the client that has the focus, or else the holder; while nobody holds, arm a fault for whoever does next' },
  next: { key: 'n', title: 'while messages are held: deliver the next one' },
  pause: { key: 'k', title: 'pause my view; the run goes on' },
  play: { key: 'k', title: 'play on from here' },
  keyMoments: { key: 'h', title: 'let my view pause by itself at key moments, or not' },
  live: { key: 'g', title: 'back to live, or to the end of a run that is over' },
  eventBack: { key: ',', title: 'one event back' },
  eventOn: { key: '.', title: 'one event on' },
  markBack: { key: '[', title: 'to the mark before' },
  markOn: { key: ']', title: 'to the next mark' },
  save: { key: '', title: 'save the run so far as a recording' },
  exportPage: { key: '', title: 'save the run so far as a page that works without a server' },
  copyLink: { key: '', title: 'copy a link to this moment' },
  open: { key: '', title: 'open a recording; or drop one on the page' },
  events: { key: 'e', title: 'show the events' },
  sequence: { key: 'q', title: 'show the sequence diagram' },
  words: { key: 'w', title: 'show the picture in words' },
  inspector: { key: 'i', title: 'show the inspector' },
  belief: { key: 'a', title: 'show what the clients believe beside what is true' },
  console: { key: 'z', title: 'show the console, to type commands as a client yourself; there, Tab completes, and Esc then Tab goes on' },
  steps: { key: 'm', title: 'show the messages, to deliver them by hand' },
  numbers: { key: 'c', title: 'show what it costs: the numbers, as they were and are, and over time' },
  lesson: { key: 'l', title: 'show or hide the lesson' },
  present: { key: 'p', title: 'present: large type, nothing but the lanes and the time' },
  firstLane: { key: '1', title: 'while presenting: the first lane alone' },
  secondLane: { key: '2', title: 'while presenting: the second lane alone' },
  allLanes: { key: '0', title: 'while presenting: all lanes' },
  closeResult: { key: 'escape', title: 'close the result of a run that is over' },
  leave: { key: 'escape', title: 'leave the presentation' },
  theme: { key: 't', title: 'light or dark' },
  help: { key: '?', title: 'this help' },
  guide: { key: '', title: 'show me around, 30 seconds' },
});

/** @typedef {keyof typeof actionWords} ActionName */
