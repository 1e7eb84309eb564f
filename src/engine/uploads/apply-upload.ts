import { sql } from 'kysely';
import type { Context } from '../../request/context.js';
import { schedule } from '../../domain/builds/schedule.js';
import {
  replaceableSteps,
  shiftedPosition,
  uploadPosition,
  type UploadPosition,
} from '../../domain/builds/upload-position.js';
import { hasStepNotify } from '../../domain/pipelines/steps/step-notify.js';
import type { PipelineDefinition } from '../../domain/pipelines/steps/step.js';
import type { BuildRow, JobRow } from '../../entities/database.js';
import { applyRollup } from '../builds/advance-build.js';
import { queueJobChanges, recordInsertedJobs } from '../builds/apply-changes.js';
import { changeBuild } from '../state/builds.js';
import { changeJobsWhere, releaseConcurrencyOf } from '../state/jobs.js';
import { loadBuild, type LoadedBuild, type SchedulableStep, scheduleFacts } from '../builds/load-facts.js';
import { jobRows, type NewJob, stepRows } from '../new-builds/build-rows.js';
import type { BuildParent } from '../new-builds/insert-build.js';
import { placePlanned, type PlacedUpload } from './place-planned.js';
import { planUpload } from './plan-upload.js';

/** The build of an upload, locked, and the job that uploads. */
export interface UploadTarget extends BuildParent {
  build: BuildRow;
  job: JobRow;
}

export interface AppliedUpload {
  build: BuildRow;
  stepsCount: number;
  jobsCount: number;
  removedJobsCount: number;
  /** `pipelineEnv` of the build before the upload, if the upload changed it. */
  pipelineEnvBefore: Record<string, string> | null;
}

export type UploadResult = { ok: true; upload: AppliedUpload } | { ok: false; message: string };

/**
 * Inserts the steps of an upload after the uploading job's step, with their jobs, under the build's lock, which the
 * caller holds. `replace` first removes the steps that have not started. Changes nothing where the upload is refused;
 * the message is for its author. The number of statements does not depend on the number of steps.
 */
export async function applyUpload(
  context: Context,
  target: UploadTarget,
  definition: PipelineDefinition,
  { replace }: { replace: boolean },
): Promise<UploadResult> {
  const { build, job } = target;
  const loaded = await loadBuild(context, build);
  const { kept: remaining, removed } = split(loaded, replace);
  const place = uploadPosition(remaining.steps, job.stepId);
  if (place === null) throw new Error(`the step of job ${job.id} is not in its build`);
  const pipelineEnv = { ...build.pipelineEnv, ...definition.env };
  const plan = await planUpload(context, target, remaining, { ...definition, env: pipelineEnv });
  if (!plan.ok) return plan;
  // A search for a culprit runs the failed steps only: that they can be uploaded is all that it has to know.
  if (build.culpritSearchId !== null)
    return { ok: true, upload: { build, stepsCount: 0, jobsCount: 0, removedJobsCount: 0, pipelineEnvBefore: null } };
  const placed = placePlanned(plan.planned, place, groupOf(remaining.steps, job.stepId));

  await removeRows(context, build, removed);
  await shiftRows(context, build.id, place, placed);
  const decided = await insertPlanned(context, target, definition, shifted(remaining, place, placed), placed);
  const changed = await changeBuild(context, build, {
    uploadCount: build.uploadCount + 1,
    ...(Object.keys(definition.env).length === 0 ? {} : { pipelineEnv }),
    ...(definition.notify.length === 0 ? {} : { notify: plan.notify }),
    ...(hasStepNotify(definition.steps) ? { stepNotify: true } : {}),
  });
  return {
    ok: true,
    upload: {
      build: await applyRollup(context, changed, decided.build, 'steps were uploaded'),
      stepsCount: placed.planned.length,
      jobsCount: plan.jobsCount,
      removedJobsCount: removed.jobs.length,
      pipelineEnvBefore: Object.keys(definition.env).length === 0 ? null : build.pipelineEnv,
    },
  };
}

function split(loaded: LoadedBuild, replace: boolean): { kept: LoadedBuild; removed: Omit<LoadedBuild, 'build'> } {
  const { build, steps, jobs } = loaded;
  const gone = replace ? replaceableSteps(steps, jobs) : new Set<string>();
  return {
    kept: {
      build,
      steps: steps.filter(({ id }) => !gone.has(id)),
      jobs: jobs.filter(({ stepId }) => !gone.has(stepId)),
    },
    removed: {
      steps: steps.filter(({ id }) => gone.has(id)),
      jobs: jobs.filter(({ stepId }) => gone.has(stepId)),
    },
  };
}

function groupOf(steps: readonly SchedulableStep[], stepId: string): SchedulableStep | null {
  const groupId = steps.find(({ id }) => id === stepId)?.groupId ?? null;
  return steps.find(({ id }) => id === groupId) ?? null;
}

/** Deletes the rows of replaced steps; no agent has held their jobs, so that nothing else belongs to them. */
async function removeRows(
  context: Context,
  build: BuildRow,
  { steps, jobs }: Pick<LoadedBuild, 'steps' | 'jobs'>,
): Promise<void> {
  if (steps.length === 0) return;
  const ids = steps.map(({ id }) => id);
  const deleted = await context.db
    .deleteFrom('jobs')
    .where('buildId', '=', build.id)
    .where('stepId', 'in', ids)
    .executeTakeFirst();
  if (Number(deleted.numDeletedRows) !== jobs.length)
    throw new Error(`jobs of build ${build.id} changed although its row was locked`);
  await context.db.deleteFrom('steps').where('buildId', '=', build.id).where('id', 'in', ids).execute();
  for (const { concurrencyGroup } of jobs) releaseConcurrencyOf(context, build.organizationId, concurrencyGroup);
}

/**
 * Gives new jobs of concurrency groups the latest place that a job of their build has, where one took its place after a
 * block: a place older than that of a job they wait for closes a circle over builds. Otherwise theirs is that of the
 * build.
 */
function placeInGroups(added: readonly NewJob[], { jobs }: LoadedBuild): void {
  const latest = jobs.reduce<Date | null>(
    (last, { concurrencyQueuedAt: at }) => (at != null && (last === null || at > last) ? at : last),
    null,
  );
  if (latest === null) return;
  for (const job of added) if (job.concurrencyGroup !== null) job.concurrencyQueuedAt = latest;
}

/** Makes room for the new steps among the positions of the others. */
async function shiftRows(
  context: Context,
  buildId: string,
  place: UploadPosition,
  { joining, following }: PlacedUpload,
): Promise<void> {
  const after = joining > 0 ? place.inGroup : place.outside;
  const by = sql<number>`position + case when position >
    ${place.outside} then ${joining + following}::int else ${joining}::int end`;
  await context.db
    .updateTable('steps')
    .set({ position: by })
    .where('buildId', '=', buildId)
    .where('position', '>', after)
    .execute();
  await changeJobsWhere(context.db, { position: by }, (eb) =>
    eb.and([eb('buildId', '=', buildId), eb('position', '>', after)]),
  );
}

function shifted({ build, steps, jobs }: LoadedBuild, place: UploadPosition, placed: PlacedUpload): LoadedBuild {
  return {
    build,
    steps: steps.map((step) => ({ ...step, position: shiftedPosition(step.position, place, placed) })),
    jobs,
  };
}

/** Inserts the planned steps with their jobs in the states that the scheduler gives them; applies its other changes. */
async function insertPlanned(
  context: Context,
  target: UploadTarget,
  definition: PipelineDefinition,
  remaining: LoadedBuild,
  { planned }: PlacedUpload,
) {
  const { build, job } = target;
  const steps = stepRows(context, build, planned, job.id);
  const jobs = await jobRows(
    context,
    target,
    { id: build.id, scheduledAt: job.scheduledAt ?? build.createdAt },
    definition,
    planned,
  );
  // The scheduler reads only columns that the new rows have; the others get their defaults at the insert.
  const whole: LoadedBuild = {
    build,
    steps: [...remaining.steps, ...(steps as unknown as SchedulableStep[])].sort(
      (one, other) => one.position - other.position,
    ),
    jobs: [...remaining.jobs, ...(jobs as unknown as JobRow[])],
  };
  const decision = schedule(scheduleFacts(whole));
  const ofNew = new Set(jobs.map(({ id }) => id));
  // In this order: without the new jobs nothing would have changed, so that theirs are the causes.
  await recordInsertedJobs(context, jobs, new Map(decision.jobs.map((change) => [change.id, change])));
  await queueJobChanges(
    context,
    remaining,
    decision.jobs.filter(({ id }) => !ofNew.has(id)),
  );
  placeInGroups(jobs, remaining);
  context.insert('steps', steps);
  context.insert('jobs', jobs);
  await context.flush();
  return decision;
}
