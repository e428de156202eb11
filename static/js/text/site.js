// What the pages of the static course say beside what stands in them.

import { t } from './language.js';

export const words = {
  loading: () => t`Loading the recording …`,
  missing: (/** @type {string} */ why) => t`This recording cannot be played: ${why}`,
  unreachable: () => t`its file cannot be fetched. Is the network there? From a disk alone it cannot be had: it takes a file server.`,
  absent: (/** @type {number} */ status) => t`its file is not on the server (${status}).`,
  notYet: () => t`This recording does not have that.`,
  nothing: () => t`Nothing plays yet: press “Play the recording” first.`,
  met: (/** @type {string} */ time) => t`The recording has come to the goal, at ${time}.`,
  next: (/** @type {string} */ step) => t`Next: ${step}`,
  predicted: (/** @type {number} */ made, /** @type {number} */ all) => t`✓ ${made} of ${all} predictions made`,
  otherTheme: (/** @type {'light' | 'dark'} */ theme) => (theme === 'dark' ? t`Light` : t`Dark`),
};
