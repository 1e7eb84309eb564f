import { Initial20261121000000 } from './20261121000000-initial.js';
import { Annotations20261121101000 } from './20261121101000-annotations.js';

/** Every migration in the order it runs. A released one is never edited. */
export const migrations = [
  { name: '20261121000000-initial', class: Initial20261121000000 },
  { name: '20261121101000-annotations', class: Annotations20261121101000 },
];
