import { Initial20261121000000 } from './20261121000000-initial.js';
import { Artifacts20261121103000 } from './20261121103000-artifacts.js';

/** Every migration in the order it runs. A released one is never edited. */
export const migrations = [
  { name: '20261121000000-initial', class: Initial20261121000000 },
  { name: '20261121103000-artifacts', class: Artifacts20261121103000 },
];
