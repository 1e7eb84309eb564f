import { Initial20261121000000 } from './20261121000000-initial.js';
import { SchedulesAndSecrets20261121104000 } from './20261121104000-schedules-and-secrets.js';

/** Every migration in the order it runs. A released one is never edited. */
export const migrations = [
  { name: '20261121000000-initial', class: Initial20261121000000 },
  { name: '20261121104000-schedules-and-secrets', class: SchedulesAndSecrets20261121104000 },
];
