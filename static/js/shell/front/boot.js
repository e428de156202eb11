// The first script of the front page.

import { boot } from '../missing.js';

await boot(() => import('./front.js'));
