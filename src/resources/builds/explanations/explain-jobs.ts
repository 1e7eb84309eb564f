import { sql } from 'kysely';
import type { Context } from '../../../request/context.js';
import { BuildHolds } from '../../../domain/builds/explanations/held-by.js';
import type { QueueFacts } from '../../../domain/builds/explanations/queue-explanation.js';
import { explainJob, type JobExplanation } from '../../../domain/builds/explanations/job-explanation.js';
import { stackState } from '../../../domain/agents/stack.js';
import { agentHeldStates, isUndecided, stoppedJobStates } from '../../../domain/builds/job-state.js';
import type { ScheduledStep } from '../../../domain/builds/schedule-facts.js';
import { limits } from '../../../domain/limits/limits.js';
import { isPaused } from '../../../engine/agents/pause-state.js';
import { type SchedulableJob, scheduledJobColumns, scheduleFacts } from '../../../engine/builds/load-facts.js';
import type { AgentRow, JobRow, StepRow } from '../../../entities/database.js';
import { group } from '../../../loaders/batch-loader.js';
import { groupKey, loadGroups } from './load-groups.js';
import { loadWaitingBuilds } from './load-waiting-builds.js';

/**
 * Explains why jobs wait, will not run or were stopped, with the same few statements for one job and for thousands.
 * A job that runs, or that an agent ran to its end, has null. The caller may see the jobs; those that an explanation
 * names may be hidden.
 */
export async function explainJobs(
  context: Context,
  jobs: readonly JobRow[],
): Promise<Map<string, JobExplanation | null>> {
  const grouped = jobs.filter(({ state }) => state === 'limiting' || state === 'limited');
  const [builds, groups, waiting, queues, stops, notices] = await Promise.all([
    loadHolds(
      context,
      jobs.filter((job) => isUndecided(job.state)),
    ),
    loadGroups(context, grouped),
    loadWaitingBuilds(
      context,
      grouped.map(({ buildId }) => buildId),
    ),
    loadQueues(
      context,
      jobs.filter((job) => job.type === 'command' && job.state === 'scheduled'),
    ),
    loadStops(context, jobs.filter(wasStopped)),
    loadNotices(
      context,
      jobs.filter(({ state }) => state === 'reserved'),
    ),
  ]);
  return new Map(
    jobs.map((job) => {
      const build = builds.get(job.buildId);
      const explanation = explainJob(job, {
        holds: build?.holds,
        stepName: (step) => build?.names.get(step.id) ?? step.key ?? step.type,
        group: job.concurrencyGroup === null ? undefined : groups.get(groupKey(job)),
        waitingBuilds: waiting.get(job.buildId),
        queue: queues.get(job.clusterQueueId ?? ''),
        stop: stops.get(job.id),
        notice: notices.get(job.id),
      });
      return [job.id, explanation];
    }),
  );
}

/** A job whose agent was lost has exit status -1, as others may; a trigger job fails without an agent. */
const wasStopped = (job: JobRow): boolean =>
  stoppedJobStates.includes(job.state) ||
  (job.state === 'finished' &&
    (job.exitStatus === -1 || job.signalReason === 'stack_error' || (job.type === 'trigger' && !job.passed)));

interface HoldsOfBuild {
  holds: BuildHolds;
  names: ReadonlyMap<string, string>;
}

/** Keys of a step's definition that are large and decide nothing about its order. */
const unread = [
  'command',
  'env',
  'plugins',
  'matrix',
  'fields',
  'build',
  'agents',
  'artifactPaths',
  'cache',
  'secrets',
];

/** The dependencies of builds, as the scheduler sees them. */
async function loadHolds(context: Context, jobs: readonly JobRow[]): Promise<Map<string, HoldsOfBuild>> {
  const buildIds = [...new Set(jobs.map((job) => job.buildId))];
  if (buildIds.length === 0) return new Map();
  const [builds, steps, all] = await Promise.all([
    context.uncheckedRows.build.loadMany(buildIds),
    context.db
      .selectFrom('steps')
      .select(['id', 'organizationId', 'buildId', 'groupId', 'key', 'type', 'label', 'position'])
      .select(['uploadedByJobId', 'updateUuids', 'createdAt'])
      .select(sql<StepRow['definition']>`definition - ${unread}::text[]`.as('definition'))
      .where('buildId', 'in', buildIds)
      .orderBy('position')
      .execute(),
    context.db
      .selectFrom('jobs')
      .select(scheduledJobColumns)
      .select('buildId')
      .where('buildId', 'in', buildIds)
      .orderBy('position')
      .orderBy('id')
      .execute(),
  ]);
  const stepsOf = group(steps, ({ buildId }) => buildId);
  const jobsOf = group(all as (SchedulableJob & { buildId: string })[], ({ buildId }) => buildId);
  const holds = new Map<string, HoldsOfBuild>();
  for (const build of builds) {
    if (build === null || build instanceof Error) continue;
    const own = stepsOf.get(build.id) ?? [];
    const facts = scheduleFacts({ build, steps: own, jobs: jobsOf.get(build.id) ?? [] });
    const names = new Map(own.map((step) => [step.id, step.label ?? step.key ?? unnamed(step)]));
    holds.set(build.id, { holds: new BuildHolds(facts), names });
  }
  return holds;
}

const unnamed = ({ type, position }: Pick<StepRow & ScheduledStep, 'type' | 'position'>): string =>
  `${type} step ${position + 1}`;

type AgentOfQueue = Pick<
  AgentRow,
  'id' | 'clusterQueueId' | 'metaData' | 'connectionState' | 'pausedAt' | 'pausedTimeoutInMinutes'
> & { busy: boolean };

/** The queues of jobs that wait for an agent, with their connected agents. */
async function loadQueues(context: Context, jobs: readonly JobRow[]): Promise<Map<string, QueueFacts>> {
  const queueIds = [...new Set(jobs.flatMap(({ clusterQueueId }) => clusterQueueId ?? []))];
  if (queueIds.length === 0) return new Map();
  const columns = sql`id, cluster_queue_id, meta_data, connection_state, paused_at, paused_timeout_in_minutes`;
  const busy = sql`exists (select 1 from jobs j where j.agent_id = a.id and j.state in
    (${sql.join(agentHeldStates)})) as busy`;
  const [queues, stacks, { rows }] = await Promise.all([
    context.load.clusterQueue.loadMany(queueIds),
    Promise.all(queueIds.map((id) => context.load.stacksOfQueue.load(id))),
    sql<AgentOfQueue>`
      select agent.* from unnest(${queueIds}::uuid[]) as queue(id) cross join lateral (
        select ${columns}, ${busy} from agents a
        where a.cluster_queue_id = queue.id and a.connection_state in ('connected', 'stopping') and not
          a.ignore_in_dispatches
        limit ${limits.explainedAgents}
      ) as agent`.execute(context.db),
  ]);
  const agents = group(rows, ({ clusterQueueId }) => clusterQueueId ?? '');
  const activityOf = (agent: AgentOfQueue): QueueFacts['agents'][number]['activity'] => {
    if (agent.connectionState === 'stopping') return 'stopping';
    if (isPaused(agent, context.now)) return 'paused';
    return agent.busy ? 'busy' : 'free';
  };
  return new Map(
    queues.flatMap((queue) =>
      queue === null || queue instanceof Error
        ? []
        : [
            [
              queue.id,
              {
                key: queue.key,
                paused: queue.dispatchPausedAt !== null,
                pausedNote: queue.dispatchPausedNote,
                stacks: (stacks[queueIds.indexOf(queue.id)] ?? [])
                  .filter((stack) => stackState(stack, context.now) === 'connected')
                  .map(({ key }) => key),
                agents: (agents.get(queue.id) ?? []).map((agent) => ({
                  metaData: agent.metaData,
                  activity: activityOf(agent),
                })),
              },
            ],
          ],
    ),
  );
}

/** What stacks said last of jobs. */
async function loadNotices(context: Context, jobs: readonly JobRow[]): Promise<Map<string, string>> {
  if (jobs.length === 0) return new Map();
  const rows = await context.db
    .selectFrom('events')
    .distinctOn('jobId')
    .select(['jobId', 'reason'])
    .where(
      'jobId',
      'in',
      jobs.map(({ id }) => id),
    )
    .where('type', '=', 'job.stack_notification')
    .orderBy('jobId')
    .orderBy('id', 'desc')
    .execute();
  return new Map(rows.map(({ jobId, reason }) => [jobId ?? '', reason ?? '']));
}

/**
 * The events that stopped jobs: the first that led to a state of jobs that were stopped, the loss of the agent, or the
 * failure of a trigger job.
 */
async function loadStops(
  context: Context,
  jobs: readonly JobRow[],
): Promise<Map<string, { type: string; reason: string | null }>> {
  if (jobs.length === 0) return new Map();
  const rows = await context.db
    .selectFrom('events')
    .distinctOn('jobId')
    .select(['jobId', 'type', 'reason'])
    .where(
      'jobId',
      'in',
      jobs.map(({ id }) => id),
    )
    .where('subject', '=', 'job')
    .where(({ and, eb, or }) =>
      or([
        eb('toState', 'in', stoppedJobStates),
        and([eb('type', 'in', ['job.lose_agent', 'job.stack_error', 'job.fail']), eb('toState', '=', 'finished')]),
      ]),
    )
    .orderBy('jobId')
    .orderBy('id')
    .execute();
  return new Map(rows.map(({ jobId, type, reason }) => [jobId ?? '', { type, reason }]));
}
