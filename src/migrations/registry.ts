import { Initial20261121000000 } from './20261121000000-initial.js';
import { RateLimitCounts20261121105000 } from './20261121105000-rate-limit-counts.js';

/** Every migration in the order it runs. A released one is never edited. */
export const migrations = [
  { name: '20261121000000-initial', class: Initial20261121000000 },
  { name: '20261121105000-rate-limit-counts', class: RateLimitCounts20261121105000 },
];
