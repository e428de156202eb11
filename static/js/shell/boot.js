// The first script of a room's page.

import { boot } from './missing.js';

await boot(() => import('./main.js'));
