import { Initial20261121000000 } from './20261121000000-initial.js';
import { TestRuns20261121102000 } from './20261121102000-test-runs.js';

/** Every migration in the order it runs. A released one is never edited. */
export const migrations = [
  { name: '20261121000000-initial', class: Initial20261121000000 },
  { name: '20261121102000-test-runs', class: TestRuns20261121102000 },
];
