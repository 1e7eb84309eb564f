import { Initial20261121000000 } from './20261121000000-initial.js';
import { TemplatesAndTeamSuites20261121100000 } from './20261121100000-templates-and-team-suites.js';

/** Every migration in the order it runs. A released one is never edited. */
export const migrations = [
  { name: '20261121000000-initial', class: Initial20261121000000 },
  { name: '20261121100000-templates-and-team-suites', class: TemplatesAndTeamSuites20261121100000 },
];
