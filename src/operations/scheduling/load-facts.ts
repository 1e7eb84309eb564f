import type { Context } from '../../context.js';
import type { ScheduledJob, ScheduledStep, ScheduleFacts } from '../../domain/schedule-facts.js';
import type { CommandStep, Step } from '../../domain/steps/step.js';
import type { BuildRow, JobRow, StepRow } from '../../entities/database.js';

/** The columns of a job that scheduling looks at. */
export const scheduledJobColumns = [
  'id', 'stepId', 'type', 'state', 'passed', 'softFailed', 'softFail', 'retried', 'startedAt', 'concurrencyGroup',
  'promisedExitStatus', 'scheduledAt', 'createdAt', 'pipelineId', 'agentId',
] as const satisfies readonly (keyof JobRow)[];
/** When a stored job went on; new ones have not. */
const stampColumns = ['runnableAt', 'assignedAt', 'acceptedAt'] as const satisfies readonly (keyof JobRow)[];
export type SchedulableJob = Pick<JobRow, (typeof scheduledJobColumns)[number]> & Partial<Pick<JobRow, (typeof stampColumns)[number]>>;

export interface LoadedBuild {
  build: BuildRow;
  steps: StepRow[];
  jobs: SchedulableJob[];
}

/** Everything of a build that decides what happens next; two statements. The caller holds the build's lock. */
export async function loadBuild(context: Context, build: BuildRow): Promise<LoadedBuild> {
  const steps = await context.db.selectFrom('steps').selectAll().where('buildId', '=', build.id).orderBy('position').execute();
  const jobs = await context.db.selectFrom('jobs').select(scheduledJobColumns).select(stampColumns).where('buildId', '=', build.id).orderBy('position').orderBy('id').execute();
  return { build, steps, jobs };
}

/** The normalised step a row holds. A group's row holds it without its children. */
export function stepDefinition(step: Pick<StepRow, 'definition'>): Step {
  return step.definition as unknown as Step;
}

/** Turns rows into the facts that `domain/schedule.ts` decides on. */
export function scheduleFacts({ build, steps, jobs }: LoadedBuild, skipRequested = false): ScheduleFacts {
  const uploaders = new Map(jobs.map((job) => [job.id, job.stepId]));
  const definitions = new Map(steps.map((step) => [step.id, stepDefinition(step)]));
  return {
    build: { state: build.state, failing: build.failing, cancelRequested: build.cancelRequestedAt !== null, skipRequested },
    steps: steps.map((step) => scheduledStep(step, uploaders)),
    jobs: jobs.map((job) => scheduledJob(job, definitions.get(job.stepId))),
  };
}

function scheduledStep(step: StepRow, uploaders: ReadonlyMap<string, string>): ScheduledStep {
  const definition = stepDefinition(step);
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

function scheduledJob(job: SchedulableJob, definition: Step | undefined): ScheduledJob {
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
    promisedFailure: job.promisedExitStatus !== null,
    cancelOnBuildFailing: definition?.type === 'command' && definition.cancelOnBuildFailing,
    ...(job.softFail === null ? {} : { softFail: job.softFail }),
  };
}

/** What a job's command step says about retries and failures; trigger steps have only `softFail`. */
export function commandDefinition(step: Pick<StepRow, 'definition'>): CommandStep | null {
  const definition = stepDefinition(step);
  return definition.type === 'command' ? definition : null;
}
