import type { Context } from '../../request/context.js';
import { targetQueue } from '../../domain/agents/dispatch.js';
import type { JobState } from '../../domain/builds/job-state.js';
import type { CommandStep, JsonObject, PipelineDefinition, SoftFail } from '../../domain/pipelines/steps/step.js';
import { effectiveTimeout } from '../../domain/builds/timeouts.js';
import type { JobRow, NewRow, OrganizationRow, PipelineRow, StepRow } from '../../entities/database.js';
import type { PlannedStep } from './build-plan.js';

export type NewStep = NewRow<'steps'> & Pick<StepRow, 'id' | 'key' | 'label' | 'groupId' | 'type' | 'definition'>;

/** The rows of planned steps; a group's row leaves its children out. */
export function stepRows(
  context: Context,
  build: { id: string; organizationId: string },
  planned: readonly PlannedStep[],
  uploadedByJobId: string | null = null,
): NewStep[] {
  return planned.map(({ id, groupId, position, step }) => ({
    id,
    organizationId: build.organizationId,
    buildId: build.id,
    groupId,
    key: step.key,
    type: step.type,
    label: step.label,
    position,
    definition: (step.type === 'group' ? { ...step, steps: [] } : step) as unknown as JsonObject,
    uploadedByJobId,
    createdAt: context.now,
  }));
}

/** A job about to be inserted, with everything scheduling looks at. */
export type NewJob = NewRow<'jobs'> &
  Pick<
    JobRow,
    | 'id'
    | 'stepId'
    | 'type'
    | 'state'
    | 'env'
    | 'plugins'
    | 'matrix'
    | 'softFail'
    | 'retried'
    | 'softFailed'
    | 'passed'
    | 'startedAt'
    | 'concurrencyGroup'
    | 'promisedExitStatus'
    | 'scheduledAt'
    | 'createdAt'
    | 'pipelineId'
    | 'agentId'
    | 'clusterQueueId'
  >;

interface Owner {
  organization: OrganizationRow;
  pipeline: PipelineRow;
}

/** The rows of all planned jobs, `pending` or `broken`; the caller gives them the scheduler's states. */
export async function jobRows(
  context: Context,
  owner: Owner,
  build: { id: string; scheduledAt: Date },
  definition: PipelineDefinition,
  planned: readonly PlannedStep[],
): Promise<NewJob[]> {
  const queues = await clusterQueues(context, owner.pipeline.clusterId);
  return planned.flatMap(({ id: stepId, position, step, jobs }) =>
    jobs.map(({ id, plan }): NewJob => {
      const command = step.type === 'command' ? step : null;
      const broken = plan.brokenReason !== null;
      return {
        id,
        organizationId: owner.organization.id,
        pipelineId: owner.pipeline.id,
        buildId: build.id,
        stepId,
        type: plan.type,
        position,
        state: (broken ? 'broken' : 'pending') as JobState,
        passed: false,
        softFailed: false,
        softFail: differentSoftFail(plan.softFail, step),
        label: plan.label,
        command: plan.command,
        env: plan.env,
        plugins: plan.plugins,
        agentQueryRules: plan.agents,
        brokenReason: plan.brokenReason,
        parallelGroupIndex: plan.parallelGroupIndex,
        parallelGroupTotal: plan.parallelGroupTotal,
        matrix: plan.matrix,
        async: step.type === 'trigger' && step.async,
        ...commandColumns(owner, definition, command),
        clusterId: plan.type === 'command' ? owner.pipeline.clusterId : null,
        clusterQueueId:
          plan.type === 'command' ? (queues.byKey.get(targetQueue(plan.agents, queues.defaultKey)) ?? null) : null,
        retried: false,
        promisedExitStatus: null,
        agentId: null,
        startedAt: null,
        finishedAt: broken ? context.now : null,
        createdAt: context.now,
        scheduledAt: build.scheduledAt,
      };
    }),
  );
}

function commandColumns({ organization, pipeline }: Owner, definition: PipelineDefinition, step: CommandStep | null) {
  return {
    artifactPaths: step?.artifactPaths ?? null,
    priority: step?.priority ?? definition.priority,
    timeoutInMinutes:
      step === null
        ? null
        : effectiveTimeout({
            stepTimeoutInMinutes: step.timeoutInMinutes,
            pipelineDefaultInMinutes: pipeline.defaultTimeoutInMinutes,
            pipelineMaximumInMinutes: pipeline.maximumTimeoutInMinutes,
            organizationDefaultInMinutes: organization.defaultTimeoutInMinutes,
            organizationMaximumInMinutes: organization.maximumTimeoutInMinutes,
          }),
    concurrencyGroup: step?.concurrencyGroup ?? null,
    concurrencyLimit: step?.concurrency ?? null,
    concurrencyMethod: step?.concurrencyMethod ?? ('ordered' as const),
  };
}

/** The job's `soft_fail` where a matrix adjustment overrides the step's; else null. */
function differentSoftFail(planned: SoftFail, step: PlannedStep['step']): SoftFail | null {
  const ofStep = 'softFail' in step ? step.softFail : false;
  return JSON.stringify(planned) === JSON.stringify(ofStep) ? null : planned;
}

async function clusterQueues(
  context: Context,
  clusterId: string | null,
): Promise<{ byKey: Map<string, string>; defaultKey: string }> {
  if (clusterId === null) return { byKey: new Map(), defaultKey: 'default' };
  const rows = await context.load.queuesOfCluster.load(clusterId);
  return {
    byKey: new Map(rows.map((row) => [row.key, row.id])),
    defaultKey: rows.find((row) => row.id === row.defaultQueueId)?.key ?? 'default',
  };
}
