import { sql } from 'kysely';
import type { Context } from '../../request/context.js';
import { compiled } from '../../database/compiled.js';
import { rowAsJson, rowsFromJson } from '../../database/row-conversion.js';
import type { ScheduledJob, ScheduledStep, ScheduleFacts } from '../../domain/builds/schedule-facts.js';
import type { CommandStep, Step } from '../../domain/pipelines/steps/step.js';
import { automaticRetry, softFails } from '../../domain/builds/retry.js';
import type { BuildRow, Db, JobRow, StepRow } from '../../entities/database.js';
import type { SharedRows } from '../../request/shared-rows.js';

/** The columns of a job that scheduling looks at. */
export const scheduledJobColumns = [
  'id',
  'stepId',
  'type',
  'state',
  'passed',
  'softFailed',
  'softFail',
  'retried',
  'startedAt',
  'concurrencyGroup',
  'promisedExitStatus',
  'scheduledAt',
  'createdAt',
  'pipelineId',
  'agentId',
  'clusterQueueId',
] as const satisfies readonly (keyof JobRow)[];
/** Columns of a stored job about its past; new jobs have none. */
const stampColumns = [
  'runnableAt',
  'assignedAt',
  'acceptedAt',
  'attempt',
  'concurrencyQueuedAt',
  'retryRuleUses',
] as const satisfies readonly (keyof JobRow)[];
export type SchedulableJob = Pick<JobRow, (typeof scheduledJobColumns)[number]> &
  Partial<Pick<JobRow, (typeof stampColumns)[number]>>;

/** The columns of a step that scheduling looks at, besides its definition. */
const scheduledStepColumns = [
  'id',
  'key',
  'type',
  'label',
  'groupId',
  'position',
  'uploadedByJobId',
] as const satisfies readonly (keyof StepRow)[];
/** What definitions hold for jobs and agents, most of their bytes; scheduling looks at none of it. */
const unscheduledMembers = [
  'source',
  'command',
  'env',
  'plugins',
  'agents',
  'artifactPaths',
  'matrix',
  'image',
  'secrets',
  'signature',
  'checkout',
  'cache',
  'notify',
  'timeoutInMinutes',
  'parallelism',
  'priority',
  'retryManual',
  'prompt',
  'submit',
  'fields',
  'allowedTeams',
  'trigger',
  'build',
] as const;
type Scheduling<S> = S extends Step ? Omit<S, (typeof unscheduledMembers)[number]> : never;
/** The part of a step's definition that scheduling looks at. */
export type SchedulingDefinition = Scheduling<Step>;
export type SchedulableStep = Pick<StepRow, (typeof scheduledStepColumns)[number]> & {
  definition: SchedulingDefinition;
};

export interface LoadedBuild {
  build: BuildRow;
  steps: SchedulableStep[];
  jobs: SchedulableJob[];
}

const stepAsJson = rowAsJson('steps', 's', scheduledStepColumns, {
  definition: `s.definition - '{${unscheduledMembers.join(',')}}'::text[]`,
});

const stepsAndJobs = compiled<{ buildId: string }, Pick<LoadedBuild, 'steps' | 'jobs'>>(
  'load-build',
  (_db, { buildId }) => sql`select
    (select json_agg(${stepAsJson} order by s.position) from steps s where s.build_id = ${buildId}) as steps,
    (select json_agg(${rowAsJson('jobs', 'j', [...scheduledJobColumns, ...stampColumns])} order by j.position, j.id)
      from jobs j where j.build_id = ${buildId}) as jobs`,
);

/** Loads the facts of a build for the scheduler. The caller holds the build's lock. */
export async function loadBuild(context: Context, build: BuildRow): Promise<LoadedBuild> {
  await context.flush();
  const known = context.shared?.partsOf(build.id);
  if (known) return { build, steps: known.steps as SchedulableStep[], jobs: known.jobs as SchedulableJob[] };
  const [loaded] = await stepsAndJobs(context.db, { buildId: build.id });
  return { build, steps: rowsFromJson(loaded?.steps), jobs: rowsFromJson(loaded?.jobs) };
}

const partsOfBuilds = compiled<{ ids: string[] }, Pick<LoadedBuild, 'steps' | 'jobs'> & { id: string }>(
  'load-builds',
  (_db, { ids }) => sql`select b.id,
    (select json_agg(${stepAsJson} order by s.position) from steps s where s.build_id = b.id) as steps,
    (select json_agg(${rowAsJson('jobs', 'j', [...scheduledJobColumns, ...stampColumns])} order by j.position, j.id)
      from jobs j where j.build_id = b.id) as jobs
    from unnest(${ids}::uuid[]) as b(id)`,
);

/** The facts of several builds by their ids, for readers who take them as they are at this moment. */
export async function readParts(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, Pick<LoadedBuild, 'steps' | 'jobs'>>> {
  const parts = await partsOfBuilds(db, { ids: [...ids] });
  return new Map(parts.map(({ id, steps, jobs }) => [id, { steps: rowsFromJson(steps), jobs: rowsFromJson(jobs) }]));
}

/** Loads the facts of several builds, whose locks the transaction holds, for the commands that it carries out. */
export async function loadParts(db: Db, rows: SharedRows, ids: readonly string[]): Promise<void> {
  for (const [id, parts] of await readParts(db, [...new Set(ids)])) rows.addParts(id, parts);
}

/** The loaded build with a job as it is going to be written. */
export function withJob({ build, steps, jobs }: LoadedBuild, changed: SchedulableJob): LoadedBuild {
  return { build, steps, jobs: jobs.map((job) => (job.id === changed.id ? { ...job, ...changed } : job)) };
}

/** Normalized step of a row; a group's row holds it without its children. */
export function stepDefinition(step: Pick<StepRow, 'definition'>): Step {
  return step.definition as unknown as Step;
}

/**
 * Turns rows, those of steps with whole definitions too, into the facts that `domain/builds/schedule.ts` decides on.
 */
export function scheduleFacts(
  {
    build,
    steps: rows,
    jobs,
  }: Pick<LoadedBuild, 'jobs'> & {
    build: Pick<BuildRow, 'state' | 'failing' | 'cancelRequestedAt'>;
    steps: readonly (SchedulableStep | StepRow)[];
  },
  skipRequested = false,
): ScheduleFacts {
  const steps = rows as readonly SchedulableStep[];
  const uploaders = new Map(jobs.map((job) => [job.id, job.stepId]));
  const definitions = new Map(steps.map((step) => [step.id, step.definition]));
  return {
    build: {
      state: build.state,
      failing: build.failing,
      cancelRequested: build.cancelRequestedAt !== null,
      skipRequested,
    },
    steps: steps.map((step) => scheduledStep(step, uploaders)),
    jobs: jobs.map((job) => scheduledJob(job, definitions.get(job.stepId))),
  };
}

function scheduledStep(step: SchedulableStep, uploaders: ReadonlyMap<string, string>): ScheduledStep {
  const { definition } = step;
  return {
    id: step.id,
    key: step.key,
    type: step.type,
    groupId: step.groupId,
    dependsOn: definition.dependsOn,
    allowDependencyFailure: definition.allowDependencyFailure,
    continueOnFailure: definition.type === 'wait' && definition.continueOnFailure,
    blockedState: definition.type === 'block' || definition.type === 'input' ? definition.blockedState : null,
    softFail: 'softFail' in definition ? definition.softFail : false,
    uploadedByStepId: step.uploadedByJobId === null ? null : (uploaders.get(step.uploadedByJobId) ?? null),
  };
}

function scheduledJob(job: SchedulableJob, definition: SchedulingDefinition | undefined): ScheduledJob {
  return {
    id: job.id,
    stepId: job.stepId,
    type: job.type,
    state: job.state,
    passed: job.state === 'finished' ? job.passed : null,
    softFailed: job.softFailed,
    retried: job.retried,
    started: job.startedAt !== null,
    hasConcurrency: job.concurrencyGroup !== null,
    promisedFailure: promisesHardFailure(job, definition),
    cancelOnBuildFailing: definition?.type === 'command' && definition.cancelOnBuildFailing,
    ...(job.softFail === null ? {} : { softFail: job.softFail }),
  };
}

/** Whether a job has promised a failure that its build minds and that no automatic retry will undo. */
function promisesHardFailure(
  { promisedExitStatus, softFail, retryRuleUses }: SchedulableJob,
  definition: SchedulingDefinition | undefined,
): boolean {
  if (promisedExitStatus === null) return false;
  const soft = softFail ?? (definition && 'softFail' in definition ? definition.softFail : false);
  const rules = definition?.type === 'command' ? definition.retryAutomatic : [];
  return (
    !softFails(soft, promisedExitStatus) &&
    !automaticRetry(rules, { exitStatus: promisedExitStatus, signal: null, signalReason: null }, retryRuleUses ?? [])
      .retry
  );
}

/** Retry and failure settings of a job's command step; trigger steps have only `softFail`. */
export function commandDefinition(step: Pick<StepRow, 'definition'>): CommandStep | null {
  const definition = stepDefinition(step);
  return definition.type === 'command' ? definition : null;
}
