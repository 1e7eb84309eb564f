import type { Services } from '../services/services.js';
import { publishCommitStatuses } from './integrations/publish-commit-statuses.js';
import { assignPositions } from '../event-stream/assign-positions.js';
import { NotificationSender } from './integrations/notifications/deliver-notifications.js';
import { reconcileBranches } from './integrations/reconcile-branches.js';
import { DeletionPurge } from './deletions/purge-deletions.js';
import { foldCounts, recount } from './builds/pipeline-counts.js';
import { buildDueSchedules } from './builds/build-due-schedules.js';
import { findCulprits } from './builds/find-culprits.js';
import { Outbox } from './outbox/outbox.js';
import { AgentTimeCount } from './agents/agent-time-count.js';
import { endPauses } from './agents/end-pauses.js';
import { failUnfinishedArtifacts } from './builds/fail-unfinished-artifacts.js';
import { boundTables } from './retention/bound-tables.js';
import { forgetDeliveries } from './retention/forget-webhook-deliveries.js';
import { forgetEvents } from './retention/forget-events.js';
import { forgetIdempotencyKeys } from './retention/forget-idempotency-keys.js';
import { forgetTestPlans } from './retention/forget-test-plans.js';
import { forgetTestWorkflows, purgeTestWorkflows } from './retention/forget-test-workflows.js';
import { forgetNotifications } from './retention/forget-notifications.js';
import { forgetStepUploads } from './retention/forget-step-uploads.js';
import { Retention } from './retention/pass/pass.js';
import { SizeCount } from './retention/sizes/size-count.js';
import { Listening } from './listening.js';
import { loseSilentAgents } from './agents/lose-silent-agents.js';
import { InsightFold } from './builds/insights/insight-fold.js';
import { revisitConcurrencyGroups, revisitStuckBuilds, revisitTriggers } from './builds/revisit-stuck-builds.js';
import { OldLogFilters } from './builds/filter-old-logs.js';
import { expireOverdueJobs } from './builds/expire-overdue-jobs.js';
import { rotateOidcKeys } from '../resources/installation/oidc-keys/oidc-keys.js';
import { noteKeyUse } from '../resources/installation/secret-keys/rotate.js';
import { revokeInactiveTokens } from './organizations/revoke-inactive-tokens.js';
import { endTestStates } from './suites/end-test-states.js';
import { findTestOwners } from './suites/find-test-owners.js';
import { finishSuiteRuns } from './suites/finish-suite-runs.js';
import { sealUrlTokens } from '../resources/pipelines/seal-url-tokens.js';
import { forgetSessions } from './organizations/forget-sessions.js';
import { writeCredentialUses } from './organizations/write-credential-uses.js';
import { boundWal } from './upkeep/bound-wal.js';
import { keepTables } from './upkeep/keep-tables.js';
import { backUpWhenDue } from '../resources/installation/backup/scheduled-backup.js';
import { sweepWhenDue } from '../resources/installation/storage/sweep-storage.js';
import { currentClaims, WorkClaims } from './work/work-claims.js';

export interface Task {
  name: string;
  everyMs: number;
  /** Whether each of several processes of one server runs it, because it is about the process itself. */
  ofProcess?: true;
  /** Whether it runs at once when the process is woken; any task does when it is woken by its name. */
  wakes: boolean;
  /**
   * What is set aside where the process died of it twice (`work/work-claims.ts`): a whole round, or `own` units that
   * the task claims itself. `none` for sums of numbers in memory or in one statement, and for batches whose size nobody
   * else chooses and that all depend on.
   */
  unit: 'round' | 'own' | 'none';
  /** Runs one bounded round; true if more work is due at once. */
  run(services: Services, signal: AbortSignal): Promise<boolean>;
  /** Waits for what rounds have begun and left under way; called once, after the last round. */
  settle?(): Promise<void>;
}

const second = 1000;
const minute = 60 * second;

/** Background tasks of one process, with their intervals. */
export function tasks(): Task[] {
  let sweptUpTo: string | null = null;
  const listening = new Listening();
  const deletionPurge = new DeletionPurge();
  const retention = new Retention();
  const sizeCount = new SizeCount();
  const oldLogFilters = new OldLogFilters();
  const insightFold = new InsightFold();
  const agentTimeCount = new AgentTimeCount();
  let sender: NotificationSender | null = null;
  let outbox: Outbox | null = null;
  let claims: WorkClaims | null = null;
  const claimsOf = (services: Services) => (claims ??= new WorkClaims(services));
  /** Runs only while agents and uploaders could have met their deadlines. */
  const ifHeard = (work: (services: Services) => Promise<number>) => async (services: Services) => {
    await listening.look(services);
    return listening.holdsDeadlines(services) && (await work(services)) > 0;
  };
  /** Runs only while the clock is trusted for deletion by age. */
  const ifOld = (work: (services: Services) => Promise<number>) => async (services: Services) => {
    await listening.look(services);
    return listening.trustsAges(services) && (await work(services)) > 0;
  };
  const all: Task[] = [
    {
      name: 'work-claims',
      unit: 'none',
      everyMs: 5 * second,
      wakes: false,
      run: async (services) => {
        await claimsOf(services).renew();
        return false;
      },
      settle: async () => claims?.close(),
    },
    {
      name: 'outbox',
      unit: 'own',
      everyMs: second,
      wakes: true,
      run: (services, signal) => (outbox ??= new Outbox(services, claimsOf(services))).round(signal),
    },
    {
      name: 'notifications',
      unit: 'own',
      everyMs: second,
      wakes: false,
      run: (services) => (sender ??= new NotificationSender(services, claimsOf(services))).round(),
      settle: async () => sender?.settle(),
    },
    { name: 'commit-statuses', unit: 'own', everyMs: second, wakes: false, run: publishCommitStatuses },
    { name: 'reconciliation', unit: 'own', everyMs: 30 * second, wakes: false, run: reconcileBranches },
    { name: 'deadlines', unit: 'own', everyMs: second, wakes: false, run: ifHeard(expireOverdueJobs) },
    {
      name: 'schedules',
      unit: 'own',
      everyMs: 5 * second,
      wakes: false,
      run: async (services) => (await buildDueSchedules(services)) > 0,
    },
    {
      name: 'culprits',
      unit: 'own',
      everyMs: second,
      wakes: false,
      run: async (services) => (await findCulprits(services)) > 0,
    },
    {
      name: 'lost-agents',
      unit: 'own',
      everyMs: 3 * second,
      wakes: false,
      run: async (services) => {
        await listening.look(services);
        return (await loseSilentAgents(services)) > 0;
      },
    },
    {
      name: 'pauses',
      unit: 'own',
      everyMs: 3 * second,
      wakes: false,
      run: async (services) => (await endPauses(services)) > 0,
    },
    {
      name: 'test-states',
      unit: 'own',
      everyMs: 10 * second,
      wakes: false,
      run: async (services) => (await endTestStates(services)) > 0,
    },
    {
      name: 'test-owners',
      unit: 'own',
      everyMs: 5 * second,
      wakes: false,
      run: async (services) => (await findTestOwners(services)) > 0,
    },
    { name: 'test-runs', unit: 'own', everyMs: second, wakes: false, run: ifHeard(finishSuiteRuns) },
    {
      name: 'deletions',
      unit: 'own',
      everyMs: second,
      wakes: false,
      run: (services, signal) => deletionPurge.round(services, signal),
    },
    {
      name: 'retention',
      unit: 'round',
      everyMs: minute,
      wakes: false,
      run: async (services, signal) => {
        await listening.look(services);
        return listening.trustsAges(services) && retention.round(services, signal);
      },
    },
    {
      name: 'storage-sizes',
      unit: 'round',
      everyMs: minute,
      wakes: false,
      run: (services, signal) => sizeCount.round(services, signal),
    },
    {
      name: 'log-filters',
      unit: 'round',
      everyMs: minute,
      wakes: false,
      run: (services, signal) => oldLogFilters.round(services, signal),
    },
    {
      name: 'agent-time',
      unit: 'round',
      everyMs: minute,
      wakes: false,
      run: (services, signal) => agentTimeCount.round(services, signal),
    },
    {
      name: 'insights',
      unit: 'round',
      everyMs: minute,
      wakes: false,
      run: async (services, signal) => {
        await listening.look(services);
        return insightFold.round(services, signal, { agesCount: listening.trustsAges(services) });
      },
    },
    { name: 'inactive-tokens', unit: 'round', everyMs: 10 * minute, wakes: false, run: ifOld(revokeInactiveTokens) },
    { name: 'idempotency-keys', unit: 'round', everyMs: 10 * minute, wakes: false, run: ifOld(forgetIdempotencyKeys) },
    { name: 'notifications-kept', unit: 'round', everyMs: 10 * minute, wakes: false, run: ifOld(forgetNotifications) },
    { name: 'webhook-deliveries', unit: 'round', everyMs: 10 * minute, wakes: false, run: ifOld(forgetDeliveries) },
    { name: 'step-uploads', unit: 'round', everyMs: 10 * minute, wakes: false, run: ifOld(forgetStepUploads) },
    { name: 'test-plans', unit: 'round', everyMs: 10 * minute, wakes: false, run: ifOld(forgetTestPlans) },
    {
      name: 'test-workflow-events',
      unit: 'round',
      everyMs: 10 * minute,
      wakes: false,
      run: ifOld(forgetTestWorkflows),
    },
    {
      name: 'test-workflows',
      unit: 'round',
      everyMs: 10 * second,
      wakes: false,
      run: async (services) => (await purgeTestWorkflows(services)) > 0,
    },
    { name: 'bounded-tables', unit: 'round', everyMs: minute, wakes: false, run: ifOld(boundTables) },
    { name: 'artifacts', unit: 'round', everyMs: 10 * minute, wakes: false, run: ifOld(failUnfinishedArtifacts) },
    {
      name: 'credential-uses',
      unit: 'none',
      ofProcess: true,
      everyMs: 10 * second,
      wakes: false,
      run: async (services) => {
        await writeCredentialUses(services);
        return false;
      },
    },
    {
      name: 'sessions',
      unit: 'round',
      everyMs: 10 * minute,
      wakes: false,
      run: async (services) => {
        await listening.look(services);
        if (listening.trustsAges(services)) await forgetSessions(services);
        return false;
      },
    },
    {
      name: 'secret-key',
      unit: 'round',
      everyMs: 30 * second,
      wakes: false,
      run: async (services) => {
        await noteKeyUse(services);
        return false;
      },
    },
    // Pipelines that replicas of a former release make beside this one.
    {
      name: 'url-tokens',
      unit: 'round',
      everyMs: 10 * minute,
      wakes: false,
      run: async (services) => (await sealUrlTokens(services)) > 0,
    },
    {
      name: 'oidc-keys',
      unit: 'round',
      everyMs: 10 * minute,
      wakes: false,
      run: async (services) => {
        await listening.look(services);
        await rotateOidcKeys(services, { agesCount: listening.trustsAges(services) });
        return false;
      },
    },
    {
      name: 'storage-sweep',
      unit: 'round',
      everyMs: minute,
      wakes: false,
      run: async (services, signal) => {
        await listening.look(services);
        if (!listening.trustsAges(services)) return false;
        await sweepWhenDue(services, signal);
        return false;
      },
    },
    { name: 'backups', unit: 'round', everyMs: 30 * second, wakes: false, run: backUpWhenDue },
    // Streams assign positions themselves while they read; this task keeps the backlog small while nobody subscribes.
    { name: 'event-order', unit: 'none', everyMs: 10 * second, wakes: false, run: assignPositions },
    // Replies with counts wake nobody: a few seconds of changes are summed in less than a millisecond.
    { name: 'pipeline-counts', unit: 'none', everyMs: 3 * second, wakes: false, run: foldCounts },
    { name: 'recount', unit: 'round', everyMs: 60 * minute, wakes: false, run: recount },
    {
      name: 'tables',
      unit: 'round',
      everyMs: 10 * second,
      wakes: false,
      run: async (services) => {
        await keepTables(services);
        await boundWal(services);
        return false;
      },
    },
    { name: 'event-retention', unit: 'round', everyMs: 10 * minute, wakes: false, run: ifOld(forgetEvents) },
    {
      name: 'sweep',
      unit: 'own',
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
  return all.map((task) => ({
    ...task,
    run: (services, signal) =>
      task.unit === 'none'
        ? task.run(services, signal)
        : claimsOf(services).run(() => runClaimed(services, task, signal)),
  }));
}

/** Runs a round, under a claim of its own if it is a unit; not while another process does, or if it is set aside. */
async function runClaimed(services: Services, task: Task, signal: AbortSignal): Promise<boolean> {
  const claims = task.unit === 'round' ? currentClaims() : null;
  if (!claims) return task.run(services, signal);
  let more = false;
  await claims.each(
    task.name,
    ['round'],
    (unit) => unit,
    async () => {
      more = await task.run(services, signal);
    },
  );
  return more;
}
