import { sql } from 'kysely';
import type { Context } from '../../request/context.js';
import {
  commitStatuses,
  isFullSha,
  type CommitStatus,
  type StatusStep,
} from '../../domain/integrations/commit-status.js';
import { evaluateCondition } from '../../domain/pipelines/conditions/condition.js';
import { type CommitStatusRequest, notifyRequests } from '../../domain/integrations/notify.js';
import type { ProviderId } from '../../domain/integrations/provider.js';
import { isSettingOn, type ProviderSettings } from '../../domain/integrations/provider-settings.js';
import type { Json } from '../../domain/pipelines/steps/step.js';
import type { BuildRow, PipelineRow } from '../../entities/database.js';
import { notificationFacts } from './notification-facts.js';
import { connectionOf } from './connection-access.js';

/** Changes that follow each other closely become one request. */
const coalesceMs = 1500;

/**
 * Queues the commit statuses of these builds (`publish_*`) for the background tasks: only for whole SHAs, and only
 * where the organization has a connection to the repository's host.
 */
export async function queueCommitStatuses(context: Context, builds: readonly BuildRow[]): Promise<void> {
  for (const build of builds) {
    if (!isFullSha(build.commit)) continue;
    const pipeline = await context.uncheckedRows.pipeline.load(build.pipelineId);
    if (!pipeline || !(await connectionOf(context.db, pipeline))) continue;
    const newStatuses = await wantedStatuses(context, pipeline, build);
    if (newStatuses.length > 0) await note(context, build, newStatuses);
  }
}

async function wantedStatuses(context: Context, pipeline: PipelineRow, build: BuildRow): Promise<CommitStatus[]> {
  const on = (key: string) =>
    isSettingOn(pipeline.providerId as ProviderId, pipeline.providerSettings as ProviderSettings, key);
  const settings = {
    publish: on('publish_commit_status'),
    perStep: on('publish_commit_status_per_step'),
    separatePullRequest: on('separate_pull_request_statuses'),
    blockedAsPending: on('publish_blocked_as_pending'),
  };
  const steps = await readSteps(context, build, settings.perStep);
  const holds = await conditionsOf(context, build, steps);
  const requests = notifyRequests(build.notify).commitStatuses.filter(holds);
  return commitStatuses(
    pipeline.slug,
    settings,
    requests,
    build,
    steps.map((step) => ({ ...step, requests: step.requests.filter(holds) })),
  );
}

/** Returns the steps with a separate commit status: all if the pipeline is set so, else those that request one. */
async function readSteps(context: Context, build: BuildRow, all: boolean): Promise<StatusStep[]> {
  const rows = await context.db
    .selectFrom('steps')
    .select(['id', 'key', 'label', sql<Json[] | null>`definition -> 'notify'`.as('notify')])
    .where('buildId', '=', build.id)
    .where('type', '=', 'command')
    .$if(!all, (query) =>
      query.where(
        sql<boolean>`jsonb_array_length(coalesce(nullif(definition -> 'notify', 'null'::jsonb), '[]'::jsonb)) > 0`,
      ),
    )
    .orderBy('position')
    .execute();
  if (rows.length === 0) return [];
  const jobs = await context.load.jobsOfBuild.load(build.id);
  return rows.map(({ id, key, label, notify }) => ({
    key,
    label,
    requests: notifyRequests(notify ?? []).commitStatuses,
    jobs: jobs.filter((job) => job.stepId === id && job.type === 'command'),
  }));
}

/**
 * Whether a request's `if` holds; a condition that cannot be evaluated does not. Facts are read only where one asks.
 */
async function conditionsOf(
  context: Context,
  build: BuildRow,
  steps: readonly StatusStep[],
): Promise<(request: CommitStatusRequest) => boolean> {
  const requests = [...notifyRequests(build.notify).commitStatuses, ...steps.flatMap((step) => step.requests)];
  const facts = requests.some((request) => request.condition !== null)
    ? await notificationFacts(context, build)
    : { values: {} };
  return ({ condition }) => {
    if (condition === null) return true;
    const result = evaluateCondition(condition, facts, 'build_notification');
    return result.ok && result.value;
  };
}

/** Upserts commit statuses in one statement; a changed status becomes due, an unchanged one does not. */
async function note(context: Context, build: BuildRow, statuses: readonly CommitStatus[]): Promise<void> {
  const due = new Date(context.now.getTime() + coalesceMs);
  await context.db
    .insertInto('commit_statuses')
    .values(
      statuses.map((status) => ({
        ...status,
        buildId: build.id,
        organizationId: build.organizationId,
        pipelineId: build.pipelineId,
        commit: build.commit,
        nextAttemptAt: due,
        createdAt: context.now,
        updatedAt: context.now,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['buildId', 'context'])
        .doUpdateSet({
          state: (eb) => eb.ref('excluded.state'),
          description: (eb) => eb.ref('excluded.description'),
          commit: (eb) => eb.ref('excluded.commit'),
          revision: sql<number>`commit_statuses.revision + 1`,
          attempts: 0,
          nextAttemptAt: (eb) => eb.ref('excluded.nextAttemptAt'),
          updatedAt: (eb) => eb.ref('excluded.updatedAt'),
        })
        .where(
          sql<boolean>`(commit_statuses.state, commit_statuses.description, commit_statuses.commit) is distinct
            from (excluded.state, excluded.description, excluded.commit)`,
        ),
    )
    .execute();
}
