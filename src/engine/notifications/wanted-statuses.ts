import { sql } from 'kysely';
import type { Context } from '../../request/context.js';
import {
  checkRuns,
  type CheckStep,
  commitStatuses,
  type CommitStatus,
  type CommitStatusSettings,
  type StatusStep,
} from '../../domain/integrations/commit-status.js';
import { evaluateCondition } from '../../domain/pipelines/conditions/condition.js';
import { type CommitStatusRequest, notifyRequests } from '../../domain/integrations/notify.js';
import type { ProviderId } from '../../domain/integrations/provider.js';
import { isSettingOn, type ProviderSettings } from '../../domain/integrations/provider-settings.js';
import type { Json } from '../../domain/pipelines/steps/step.js';
import type { BuildRow, PipelineRow, ProviderConnectionRow } from '../../entities/database.js';
import { culpritStatuses } from './culprit-statuses.js';
import { notificationFacts } from './notification-facts.js';

/** Returns the commit statuses that a build must have now, by the settings of its pipeline (`publish_*`). */
export async function wantedStatuses(
  context: Context,
  pipeline: PipelineRow,
  build: BuildRow,
  connection: Pick<ProviderConnectionRow, 'host' | 'appId'>,
): Promise<CommitStatus[]> {
  const settings = statusSettings(pipeline);
  const ofCulprit = settings.publish ? await culpritStatuses(context, build) : [];
  // The other statuses of a commit are those of the builds of its push.
  if (build.culpritSearchId !== null) return ofCulprit;
  const steps = await readSteps(context, build, settings.perStep);
  const holds = await conditionsOf(context, build, steps);
  const requests = notifyRequests(build.notify);
  const statuses = commitStatuses(
    pipeline.slug,
    settings,
    requests.commitStatuses.filter(holds),
    build,
    steps.map((step) => ({ ...step, requests: step.requests.filter(holds) })),
  );
  const checks = checkRuns(
    pipeline.name,
    settings,
    requests.checks.filter(holds),
    build,
    steps.map((step) => ({ ...step, checks: step.checks.filter(holds) })),
    connection.appId === null
      ? `Not sent: github_check needs a GitHub App, and ${connection.host} is ` + 'connected by a token'
      : null,
  );
  return [...statuses, ...checks, ...ofCulprit];
}

function statusSettings(pipeline: PipelineRow): CommitStatusSettings {
  const on = (key: string) =>
    isSettingOn(pipeline.providerId as ProviderId, pipeline.providerSettings as ProviderSettings, key);
  return {
    publish: on('publish_commit_status'),
    perStep: on('publish_commit_status_per_step'),
    separatePullRequest: on('separate_pull_request_statuses'),
    blockedAsPending: on('publish_blocked_as_pending'),
    useStepKey: on('use_step_key_as_commit_status'),
    preventPrefix: on('prevent_custom_statuses_from_using_buildkite_prefix'),
  };
}

/** Returns the steps with a separate commit status: all if the pipeline is set so, else those that request one. */
async function readSteps(context: Context, build: BuildRow, all: boolean): Promise<(StatusStep & CheckStep)[]> {
  const asks = sql<boolean>`
    jsonb_array_length(coalesce(nullif(definition -> 'notify', 'null'::jsonb), '[]'::jsonb)) > 0`;
  const rows = await context.db
    .selectFrom('steps')
    .select(['id', 'groupId', 'type', 'key', 'label', sql<Json[] | null>`definition -> 'notify'`.as('notify')])
    .where('buildId', '=', build.id)
    .where('type', 'in', ['command', 'group'])
    .where((eb) =>
      // Jobs of a group that asks are those of its steps.
      eb.or([
        asks,
        ...(all ? [eb('type', '=', 'command')] : []),
        eb('groupId', 'in', (inner) =>
          inner.selectFrom('steps').select('id').where('buildId', '=', build.id).where(asks),
        ),
      ]),
    )
    .orderBy('position')
    .execute();
  if (rows.length === 0) return [];
  const jobs = (await context.load.jobsOfBuild.load(build.id)).filter((job) => job.type === 'command');
  const jobsOf = (id: string) => jobs.filter((job) => job.stepId === id);
  return rows.map(({ id, type, key, label, notify }) => ({
    id,
    checks: notifyRequests(notify ?? []).checks,
    key,
    label,
    isGroup: type === 'group',
    requests: notifyRequests(notify ?? []).commitStatuses,
    jobs: type === 'group' ? rows.filter(({ groupId }) => groupId === id).flatMap((row) => jobsOf(row.id)) : jobsOf(id),
  }));
}

/**
 * Whether a request's `if` holds; a condition that cannot be evaluated does not. Facts are read only where one asks.
 */
async function conditionsOf(
  context: Context,
  build: BuildRow,
  steps: readonly (StatusStep & CheckStep)[],
): Promise<(request: Pick<CommitStatusRequest, 'condition'>) => boolean> {
  const { commitStatuses: ofBuild, checks } = notifyRequests(build.notify);
  const ofSteps = steps.flatMap((step) => [...step.requests, ...step.checks]);
  const requests = [...ofBuild, ...checks, ...ofSteps];
  const facts = requests.some((request) => request.condition !== null)
    ? await notificationFacts(context, build)
    : { values: {} };
  return ({ condition }) => {
    if (condition === null) return true;
    const result = evaluateCondition(condition, facts, 'build_notification');
    return result.ok && result.value;
  };
}
