import { Initial20261121000000 } from './20261121000000-initial.js';
import { TemplatesAndTeamSuites20261121100000 } from './20261121100000-templates-and-team-suites.js';
import { Annotations20261121101000 } from './20261121101000-annotations.js';
import { TestRuns20261121102000 } from './20261121102000-test-runs.js';
import { Artifacts20261121103000 } from './20261121103000-artifacts.js';
import { SchedulesAndSecrets20261121104000 } from './20261121104000-schedules-and-secrets.js';
import { RateLimitCounts20261121105000 } from './20261121105000-rate-limit-counts.js';
import { WebhookDeliveries20261121110000 } from './20261121110000-webhook-deliveries.js';
import { LiveEvents20261121111000 } from './20261121111000-live-events.js';
import { Notifications20261121112000 } from './20261121112000-notifications.js';
import { History20261121114000 } from './20261121114000-history.js';

/** Every migration in the order it runs. A released one is never edited. */
export const migrations = [
  { name: '20261121000000-initial', class: Initial20261121000000 },
  { name: '20261121100000-templates-and-team-suites', class: TemplatesAndTeamSuites20261121100000 },
  { name: '20261121101000-annotations', class: Annotations20261121101000 },
  { name: '20261121102000-test-runs', class: TestRuns20261121102000 },
  { name: '20261121103000-artifacts', class: Artifacts20261121103000 },
  { name: '20261121104000-schedules-and-secrets', class: SchedulesAndSecrets20261121104000 },
  { name: '20261121105000-rate-limit-counts', class: RateLimitCounts20261121105000 },
  { name: '20261121110000-webhook-deliveries', class: WebhookDeliveries20261121110000 },
  { name: '20261121111000-live-events', class: LiveEvents20261121111000 },
  { name: '20261121112000-notifications', class: Notifications20261121112000 },
  { name: '20261121114000-history', class: History20261121114000 },
];
