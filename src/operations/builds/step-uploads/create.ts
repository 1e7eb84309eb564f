import { z } from 'zod';
import type { Context } from '../../../request/context.js';
import { acceptsPipelineUpload } from '../../../domain/builds/build-state.js';
import { byteLength, limits } from '../../../domain/limits/limits.js';
import { wrongState } from '../../../domain/problem.js';
import type { DefinitionProblem, Json } from '../../../domain/pipelines/steps/step.js';
import type { NewRow } from '../../../entities/database.js';
import { defineOperation } from '../../../core/operation.js';
import { parseUpload } from '../../../engine/new-builds/parse-definition.js';
import { applyUpload, type UploadResult } from '../../../engine/uploads/apply-upload.js';
import { jobInput, type LockedHeldJob, lockHeldJob } from '../../../resources/builds/jobs/held-job.js';
import { findStepUpload, type StepUploadOutcome } from '../../../resources/builds/step-uploads/step-upload.js';

const input = jobInput.extend({
  /** Constant over the retries of one upload. */
  uuid: z.uuid(),
  pipeline: z.custom<Json>((value) => value !== undefined && value !== null, 'must be a pipeline with steps'),
  replace: z.boolean().nullish(),
});

/**
 * POST pipelines: adds the steps of a pipeline to the running build, after the step of the uploading job. An upload
 * sent again has no second effect and the same outcome. A rejected one is an outcome too, kept with its message; agents
 * do not send it again.
 */
export const createStepUpload = defineOperation({
  name: 'step-upload.create',
  summary: 'Adds the steps of a pipeline to a running build.',
  kind: 'command',
  scope: null,
  access: 'internal',
  audited: false,
  input,
  subject: (context, { job }) => lockHeldJob(context, job),
  run: async (context, { uuid, pipeline, replace }, subject): Promise<StepUploadOutcome> => {
    const { job, build } = subject;
    const earlier = await findStepUpload(context, job.id, uuid);
    if (earlier) return earlier;
    if (job.state !== 'running' || !acceptsPipelineUpload(build.state))
      throw wrongState('You can only change the pipeline of a running build');
    if (build.uploadCount >= limits.uploadsPerBuild)
      throw wrongState(`A build can have at most ${limits.uploadsPerBuild} pipeline uploads`);
    const text = textOf(pipeline);
    const result = await upload(context, subject, text, replace ?? false);
    return record(context, subject, { uuid, text, replace: replace ?? false }, result);
  },
});

/** By value: the transaction begins again once a large upload is parsed. */
const texts = new WeakMap<object, string>();

function textOf(pipeline: Json): string {
  if (pipeline === null || typeof pipeline !== 'object') return JSON.stringify(pipeline);
  const known = texts.get(pipeline);
  if (known !== undefined) return known;
  const text = JSON.stringify(pipeline);
  texts.set(pipeline, text);
  return text;
}

async function upload(
  context: Context,
  { job, build }: LockedHeldJob,
  text: string,
  replace: boolean,
): Promise<UploadResult> {
  const parsed = await parseUpload(context, text);
  if (!parsed.ok) return { ok: false, message: sentences(parsed.problems) };
  const [pipeline, organization] = await Promise.all([
    context.uncheckedRows.pipeline.load(build.pipelineId),
    context.load.organization.load(build.organizationId),
  ]);
  if (!pipeline || !organization) throw new Error(`build ${build.id} has no pipeline or organization`);
  return applyUpload(context, { organization, pipeline, build, job }, parsed.definition, { replace });
}

/** Problems in one refusal: agents print it as one line. */
const problemsShown = 5;

function sentences(problems: readonly DefinitionProblem[]): string {
  const shown = problems
    .slice(0, problemsShown)
    .map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  const more = problems.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more problems`] : [])].join('; ');
}

async function record(
  context: Context,
  { job, build }: LockedHeldJob,
  { uuid, text, replace }: { uuid: string; text: string; replace: boolean },
  result: UploadResult,
): Promise<StepUploadOutcome> {
  if (!result.ok) await refuseEndlessRejections(context, build.id, result.message);
  const definitionBytes = byteLength(text);
  const row = {
    id: context.newId(),
    organizationId: build.organizationId,
    buildId: build.id,
    jobId: job.id,
    uuid,
    replace,
    definition: definitionBytes > limits.uploadKeptBytes ? null : text,
    definitionBytes,
    createdAt: context.now,
    ...outcomeColumns(build.uploadCount, result),
  } satisfies NewRow<'step_uploads'>;
  await context.db.insertInto('step_uploads').values(row).execute();
  if (result.ok)
    context.record({
      organizationId: build.organizationId,
      subject: 'job',
      subjectId: job.id,
      pipelineId: job.pipelineId,
      buildId: build.id,
      jobId: job.id,
      agentId: job.agentId,
      type: 'job.upload',
      from: job.state,
      to: job.state,
      reason: `${result.upload.stepsCount} steps were uploaded`,
      data: { upload: row.id, jobs: result.upload.jobsCount, removed_jobs: result.upload.removedJobsCount },
    });
  return { uuid, state: row.state, message: row.message };
}

function outcomeColumns(uploadCount: number, result: UploadResult) {
  if (!result.ok) return { state: 'rejected' as const, message: result.message, sequence: 0 };
  const { stepsCount, jobsCount, removedJobsCount, pipelineEnvBefore } = result.upload;
  return {
    state: 'applied' as const,
    message: null,
    sequence: uploadCount + 1,
    stepsCount,
    jobsCount,
    removedJobsCount,
    pipelineEnvBefore,
  };
}

/** Throws once so many rejected uploads of the build are stored: a job may send invalid uploads without end. */
async function refuseEndlessRejections(context: Context, buildId: string, message: string): Promise<void> {
  const { count } = await context.db
    .selectFrom('step_uploads')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('buildId', '=', buildId)
    .where('sequence', '=', 0)
    .executeTakeFirstOrThrow();
  if (Number(count) >= limits.rejectedUploadsKept) throw wrongState(message);
}
