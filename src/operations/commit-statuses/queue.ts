import { sql } from 'kysely';
import type { Context } from '../../context.js';
import { commitStatuses, isFullSha, type CommitStatus, type StatusStep } from '../../domain/commit-status.js';
import { evaluateCondition } from '../../domain/conditional/condition.js';
import { type CommitStatusRequest, notifyRequests } from '../../domain/notify.js';
import type { ProviderId } from '../../domain/provider.js';
import { isSettingOn, type ProviderSettings } from '../../domain/provider-settings.js';
import type { Json } from '../../domain/steps/step.js';
import type { BuildRow, PipelineRow } from '../../entities/database.js';
import { notificationFacts } from '../notifications/notification-facts.js';
import { connectionOf } from '../provider-connections/connection-access.js';

/** Changes that follow each other closely become one request. */
const coalesceMs = 1500;

/**
 * Notes what the commits of these builds are to say now (rest-facts 6.2, provider settings `publish_*`), for the
 * background to send: only for whole SHAs, and only where the organization has a connection to the repository's host.
 */
export async function queueCommitStatuses(context: Context, builds: readonly BuildRow[]): Promise<void> {
  for (const build of builds) {
    if (!isFullSha(build.commit)) continue;
    const pipeline = await context.load.pipeline.load(build.pipelineId);
    if (!pipeline || !(await connectionOf(context.db, pipeline))) continue;
    const wanted = await wantedStatuses(context, pipeline, build);
    if (wanted.length > 0) await note(context, build, wanted);
  }
}

async function wantedStatuses(context: Context, pipeline: PipelineRow, build: BuildRow): Promise<CommitStatus[]> {
  const on = (key: string) => isSettingOn(pipeline.providerId as ProviderId, pipeline.providerSettings as ProviderSettings, key);
  const settings = {
    publish: on('publish_commit_status'),
    perStep: on('publish_commit_status_per_step'),
    separatePullRequest: on('separate_pull_request_statuses'),
    blockedAsPending: on('publish_blocked_as_pending'),
  };
  const steps = await readSteps(context, build, settings.perStep);
  const holds = await conditionsOf(context, build, steps);
  const requests = notifyRequests(build.notify).commitStatuses.filter(holds);
  return commitStatuses(pipeline.slug, settings, requests, build, steps.map((step) => ({ ...step, requests: step.requests.filter(holds) })));
}

/** The steps that have a status of their own: all where that is set, else those that ask for one. */
async function readSteps(context: Context, build: BuildRow, all: boolean): Promise<StatusStep[]> {
  const rows = await context.db
    .selectFrom('steps')
    .select(['id', 'key', 'label', sql<Json[] | null>`definition -> 'notify'`.as('notify')])
    .where('buildId', '=', build.id)
    .where('type', '=', 'command')
    .$if(!all, (query) => query.where(sql<boolean>`jsonb_array_length(coalesce(nullif(definition -> 'notify', 'null'::jsonb), '[]'::jsonb)) > 0`))
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

/** Whether a request's `if` holds; a condition that cannot be evaluated does not. Facts are read only where one asks. */
async function conditionsOf(context: Context, build: BuildRow, steps: readonly StatusStep[]): Promise<(request: CommitStatusRequest) => boolean> {
  const requests = [...notifyRequests(build.notify).commitStatuses, ...steps.flatMap((step) => step.requests)];
  const facts = requests.some((request) => request.condition !== null) ? await notificationFacts(context, build) : { values: {} };
  return ({ condition }) => {
    if (condition === null) return true;
    const result = evaluateCondition(condition, facts, 'build_notification');
    return result.ok && result.value;
  };
}

/** One statement: a status that says what it said already is left alone, any other is due again. */
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
        .where(sql<boolean>`(commit_statuses.state, commit_statuses.description, commit_statuses.commit) is distinct from (excluded.state, excluded.description, excluded.commit)`),
    )
    .execute();
}
