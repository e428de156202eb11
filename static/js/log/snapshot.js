// A view as text, so that another page can go on from it: see shell/snapshots.js. Views
// hold maps, sets and infinite numbers, and name some things twice, so JSON is not enough.

import { parse, stringify } from '../../lib/devalue.js';

/** @import { View } from '../model/view.js' */

/** @param {View} view */
export const writeSnapshot = (view) => stringify(view);

/** @param {string} text @returns {View} */
export const readSnapshot = (text) => parse(text);
