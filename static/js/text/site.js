// What the pages of the static course say beside what stands in them.

export const words = {
  loading: (/** @type {string} */ name) => `Loading ${name} …`,
  missing: (/** @type {string} */ why) => `This recording cannot be played: ${why}`,
  unreachable: 'its file cannot be fetched. Is the network there, or was the page opened from a disk? It needs a file server.',
  absent: (/** @type {number} */ status) => `its file is not on the server (${status}).`,
  notYet: 'That has not happened in this recording, or comes later.',
  nothing: 'No recording plays yet: press “Play the recording” first.',
  met: (/** @type {string} */ time) => `At ${time} the goal is reached.`,
  next: (/** @type {string} */ missing) => `Next: ${missing}`,
  doneAt: (/** @type {string} */ time) => `done at ${time}`,
  predicted: (/** @type {number} */ made, /** @type {number} */ all) => `${made} of ${all} made`,
};
