import { Initial20261121000000 } from './20261121000000-initial.js';
import { LiveEvents20261121111000 } from './20261121111000-live-events.js';

/** Every migration in the order it runs. A released one is never edited. */
export const migrations = [
  { name: '20261121000000-initial', class: Initial20261121000000 },
  { name: '20261121111000-live-events', class: LiveEvents20261121111000 },
];
