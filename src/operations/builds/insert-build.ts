import { sql } from 'kysely';
import type { Context } from '../../context.js';
import { jsonb, jsonbOrNull } from '../../database/row-conversion.js';
import { isNotNullViolation } from '../../database/transaction.js';
import { matchesBranch } from '../../domain/branch-pattern.js';
import { limits } from '../../domain/limits.js';
import { notFound, wrongState } from '../../domain/problem.js';
import { schedule } from '../../domain/schedule.js';
import type { PipelineDefinition } from '../../domain/steps/step.js';
import type { BuildRow, NewRow, PipelineRow } from '../../entities/database.js';
import type { OrganizationSubject, PipelineSubject } from '../subject.js';
import { applyRollup } from '../scheduling/advance-build.js';
import { followInsertedJobs } from '../scheduling/apply-changes.js';
import { scheduleFacts } from '../scheduling/load-facts.js';
import { buildDefinition } from './build-definition.js';
import { conditionFacts, standardVariables } from './build-facts.js';
import { planSteps } from './build-plan.js';
import { dropIntermediateBuilds } from './intermediate.js';
import { jobRows, stepRows } from './build-rows.js';
import type { NewBuild } from './new-build.js';

/**
 * Makes a build with its steps and jobs, every job already in the state the scheduler gives it, in the transaction
 * that is open. The number is raised in the statement that inserts the build, last, so that the pipeline's row is
 * locked for the shortest time. Throws the 422 problems of api-v2.md.
 */
export async function insertBuild(context: Context, subject: OrganizationSubject & Pick<PipelineSubject, 'pipeline'>, wanted: NewBuild): Promise<BuildRow> {
  const { organization, pipeline } = subject;
  refuseBuild(pipeline, wanted);
  const standard = standardVariables(organization, pipeline, wanted);
  const own = Object.fromEntries(Object.entries(wanted.env).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]));
  const definition = await buildDefinition(context, pipeline, { standard, own });
  const conditions = await conditionFacts(context, subject, wanted, definition.env);
  const planned = planSteps(definition, { branch: wanted.branch, conditions }, () => context.newId());
  const jobCount = planned.reduce((count, step) => count + step.jobs.length, 0);
  if (jobCount > limits.jobsPerBuild) throw wrongState(`A build may have at most ${limits.jobsPerBuild} jobs; this one would have ${jobCount}.`);

  const build = draft(context, subject, wanted, definition);
  const steps = stepRows(context, build, planned);
  const jobs = await jobRows(context, subject, build, definition, planned);
  const loaded = { build: build as unknown as BuildRow, steps: steps as never, jobs: jobs as never };
  const decision = schedule(scheduleFacts(loaded));
  const changes = new Map(decision.jobs.map((change) => [change.id, change]));
  await followInsertedJobs(context, loaded, jobs, changes);

  await insertInBatches(context, 'steps', steps);
  await insertInBatches(context, 'jobs', jobs.map((job) => toInsert(job)));
  await insertMetaData(context, organization.id, build.id, wanted.metaData);
  const dropped = await dropIntermediateBuilds(context, pipeline, build.id, wanted.branch);
  const inserted = await insertNumbered(context, build);
  context.record({ organizationId: organization.id, subject: 'build', subjectId: inserted.id, pipelineId: pipeline.id, buildId: inserted.id, type: 'build.create', to: 'creating', reason: wanted.source, data: { dropped_builds: dropped } });
  return applyRollup(context, inserted, decision.build, 'created');
}

function refuseBuild(pipeline: PipelineRow, wanted: NewBuild): void {
  if (pipeline.archivedAt !== null) throw wrongState('Builds cannot be created for an archived pipeline');
  const filtered = !wanted.ignorePipelineBranchFilters && wanted.pullRequest === null && !matchesBranch(pipeline.branchConfiguration, wanted.branch);
  if (filtered) throw wrongState(`Branch ${wanted.branch} has been disabled for this pipeline: its branch filter is ${JSON.stringify(pipeline.branchConfiguration)}`);
}

type Draft = NewRow<'builds'> & { id: string; createdAt: Date };

function draft(context: Context, { organization, pipeline }: OrganizationSubject & Pick<PipelineSubject, 'pipeline'>, wanted: NewBuild, definition: Pick<PipelineDefinition, 'env' | 'notify'>): Draft {
  return {
    id: context.newId(),
    organizationId: organization.id,
    pipelineId: pipeline.id,
    number: 0,
    state: 'creating',
    message: wanted.message,
    commit: wanted.commit,
    branch: wanted.branch,
    tag: wanted.tag ?? null,
    env: wanted.env as never,
    pipelineEnv: definition.env,
    notify: definition.notify,
    source: wanted.source,
    creatorId: wanted.creatorId,
    author: wanted.author,
    pullRequestId: wanted.pullRequest?.id ?? null,
    pullRequestBaseBranch: wanted.pullRequest?.baseBranch ?? null,
    pullRequestRepository: wanted.pullRequest?.repository ?? null,
    pullRequestLabels: wanted.pullRequest?.labels ?? [],
    pullRequestDraft: wanted.pullRequest?.draft ?? null,
    cleanCheckout: wanted.cleanCheckout,
    commitResolved: wanted.commitResolved ?? /^[0-9a-f]{40}$/.test(wanted.commit),
    ignorePipelineBranchFilters: wanted.ignorePipelineBranchFilters,
    rebuiltFromId: wanted.rebuiltFromId ?? null,
    triggeredFromJobId: wanted.triggeredFromJobId ?? null,
    pipelineScheduleId: wanted.pipelineScheduleId ?? null,
    triggerDepth: wanted.triggerDepth ?? 0,
    createdAt: context.now,
    scheduledAt: context.now,
    failing: false,
    cancelRequestedAt: null,
  };
}

async function insertNumbered(context: Context, build: Draft): Promise<BuildRow> {
  const { number: _number, ...rest } = build;
  const values = { ...rest, env: jsonb(build.env), pipelineEnv: jsonb(build.pipelineEnv), notify: jsonb(build.notify), author: jsonbOrNull(build.author) } as unknown as NewRow<'builds'>;
  const numbered = context.db
    .with('counter', (db) =>
      db.updateTable('pipelines').set((eb) => ({ nextBuildNumber: eb('nextBuildNumber', '+', 1) })).where('id', '=', build.pipelineId).returning(sql<number>`next_build_number - 1`.as('number')),
    )
    .insertInto('builds')
    .values({ ...values, number: sql<number>`(select number from counter)` })
    .returningAll();
  try {
    return await numbered.executeTakeFirstOrThrow();
  } catch (error) {
    // No counter row: the pipeline was deleted since it was found, so it is as if it had never been.
    if (isNotNullViolation(error)) throw notFound();
    throw error;
  }
}

/** Rows a statement may carry: PostgreSQL takes 65,535 parameters. */
const batch = 400;

async function insertInBatches<T extends 'steps' | 'jobs'>(context: Context, table: T, rows: NewRow<T>[]): Promise<void> {
  for (let start = 0; start < rows.length; start += batch) {
    await context.db.insertInto(table).values(rows.slice(start, start + batch) as never).execute();
  }
}

function toInsert(job: Awaited<ReturnType<typeof jobRows>>[number]): NewRow<'jobs'> {
  return { ...job, env: jsonb(job.env) as never, plugins: jsonbOrNull(job.plugins) as never, matrix: jsonbOrNull(job.matrix) as never, softFail: jsonbOrNull(job.softFail) as never };
}

async function insertMetaData(context: Context, organizationId: string, buildId: string, metaData: Record<string, string>): Promise<void> {
  const rows = Object.entries(metaData).map(([key, value]) => ({ buildId, key, organizationId, value }));
  if (rows.length > 0) await context.db.insertInto('build_meta_data').values(rows).execute();
}
