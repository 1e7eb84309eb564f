import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Services } from '../context.js';
import { publishCommitStatuses } from '../operations/commit-statuses/publish.js';
import { placeEvents } from '../operations/live/place-events.js';
import { deliverNotifications } from '../operations/notifications/deliver.js';
import { reconcileBranches } from '../operations/reconciliation/reconcile-branches.js';
import { buildDueSchedules } from '../operations/upkeep/build-due-schedules.js';
import { deliverMessage } from '../operations/upkeep/deliver-message.js';
import { endPauses } from '../operations/upkeep/end-pauses.js';
import { failUnfinishedArtifacts } from '../operations/upkeep/fail-unfinished-artifacts.js';
import { forgetDeliveries } from '../operations/upkeep/forget-deliveries.js';
import { forgetEvents } from '../operations/upkeep/forget-events.js';
import { forgetIdempotencyKeys } from '../operations/upkeep/forget-idempotency-keys.js';
import { forgetNotifications } from '../operations/upkeep/forget-notifications.js';
import { loseSilentAgents } from '../operations/upkeep/lose-silent-agents.js';
import { revisitConcurrencyGroups, revisitStuckBuilds, revisitTriggers } from '../operations/upkeep/revisit-stuck.js';
import { settleOverdueJobs } from '../operations/upkeep/settle-overdue-jobs.js';
import { settleRuns } from '../operations/upkeep/settle-runs.js';

export interface Task {
  name: string;
  everyMs: number;
  /** Whether it is done at once when the process is told that there may be something to do. */
  wakes: boolean;
  /** One bounded round; true where there is more to do at once. */
  run(services: Services, signal: AbortSignal): Promise<boolean>;
}

const messagesOfARound = 100;
const second = 1000;
const minute = 60 * second;

/** The work of one process, each kind with its interval. */
export function tasks(): Task[] {
  let sweptUpTo: string | null = null;
  return [
    { name: 'outbox', everyMs: second, wakes: true, run: deliverRound },
    { name: 'notifications', everyMs: second, wakes: false, run: deliverNotifications },
    { name: 'commit-statuses', everyMs: second, wakes: false, run: publishCommitStatuses },
    { name: 'reconciliation', everyMs: 30 * second, wakes: false, run: reconcileBranches },
    { name: 'deadlines', everyMs: second, wakes: false, run: async (services) => (await settleOverdueJobs(services)) > 0 },
    { name: 'schedules', everyMs: 5 * second, wakes: false, run: async (services) => (await buildDueSchedules(services)) > 0 },
    { name: 'lost-agents', everyMs: 3 * second, wakes: false, run: async (services) => (await loseSilentAgents(services)) > 0 },
    { name: 'pauses', everyMs: 3 * second, wakes: false, run: async (services) => (await endPauses(services)) > 0 },
    { name: 'test-runs', everyMs: second, wakes: false, run: async (services) => (await settleRuns(services)) > 0 },
    { name: 'idempotency-keys', everyMs: 10 * minute, wakes: false, run: async (services) => (await forgetIdempotencyKeys(services)) > 0 },
    { name: 'notifications-kept', everyMs: 10 * minute, wakes: false, run: async (services) => (await forgetNotifications(services)) > 0 },
    { name: 'webhook-deliveries', everyMs: 10 * minute, wakes: false, run: async (services) => (await forgetDeliveries(services)) > 0 },
    { name: 'artifacts', everyMs: 10 * minute, wakes: false, run: async (services) => (await failUnfinishedArtifacts(services)) > 0 },
    // Streams place events themselves as they read; this keeps what waits few where nobody follows.
    { name: 'event-order', everyMs: 10 * second, wakes: false, run: placeEvents },
    { name: 'event-retention', everyMs: 10 * minute, wakes: false, run: async (services) => (await forgetEvents(services)) > 0 },
    {
      name: 'sweep',
      everyMs: minute,
      wakes: false,
      run: async (services) => {
        if (sweptUpTo === null) {
          await revisitConcurrencyGroups(services);
          await revisitTriggers(services);
        }
        sweptUpTo = await revisitStuckBuilds(services, sweptUpTo);
        return sweptUpTo !== null;
      },
    },
  ];
}

async function deliverRound(services: Services, signal: AbortSignal): Promise<boolean> {
  for (let count = 0; count < messagesOfARound && !signal.aborted; count += 1) {
    if (!(await deliverMessage(services))) return false;
    await nextTurn();
  }
  return true;
}
