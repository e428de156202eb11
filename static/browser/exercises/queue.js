// The exercises of the lessons on what a lock is made of.
import { met, typeLines } from './desk.js';

/** @import { Exercise } from './desk.js' */

/** @type {Record<string, Exercise>} */
export const exercises = {
  'a number that was given back is not given again': {
    lesson: 'sequence-numbers', card: 'Numbers from the server',
    async act(desk) {
      await typeLines(desk, 'create /numbers', 'create -s /numbers/c-', 'delete /numbers/c-0000000000', 'create -s /numbers/c-');
      await desk.page.locator('.console', { hasText: '/numbers/c-0000000001' }).waitFor({ state: 'attached' });
      await met(desk.page, 'sequence-numbers/never-twice');
    },
  },
  'the server refuses what cannot be': {
    lesson: 'client-api', card: 'One request at a time',
    async act(desk) {
      await typeLines(desk, 'create /a/b', 'create /a', 'create /a', 'create /a/b', 'delete /a');
      await met(desk.page, 'client-api/three-refusals');
    },
  },
};
