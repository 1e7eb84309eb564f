import type { Context } from '../../context.js';
import { matchesBranch } from '../../domain/pipelines/branch-pattern.js';
import { gitNameProblem } from '../../domain/builds/git-name.js';
import { limits } from '../../domain/limits.js';
import { invalidField, wrongState } from '../../domain/problem.js';
import { schedule } from '../../domain/builds/schedule.js';
import type { PipelineDefinition } from '../../domain/pipelines/steps/step.js';
import type { BuildRow, JobRow, NewRow, OrganizationRow, PipelineRow, StepRow } from '../../entities/database.js';
import { applyRollup } from '../builds/advance-build.js';
import { recordInsertedJobs } from '../builds/apply-changes.js';
import { scheduleFacts } from '../builds/load-facts.js';
import { definitionForBuild } from './definition-for-build.js';
import { conditionFacts, standardVariables } from './build-facts.js';
import { planSteps } from './build-plan.js';
import { type BuildNumbering, drawNumber } from './draw-number.js';
import { dropIntermediateBuilds } from './supersede.js';
import { jobRows, stepRows } from './build-rows.js';
import { insertRows } from './insert-rows.js';
import type { NewBuild } from './new-build.js';

/** Organization and pipeline of a new build. */
export interface BuildParent {
  organization: OrganizationRow;
  pipeline: PipelineRow;
}

/**
 * Inserts a build with its steps and jobs, each job already in the state the scheduler gives it, in the open
 * transaction. Expensive work is done before the number is drawn, which locks the pipeline's row until the commit.
 * Throws `invalid` or `wrong_state` for a build that may not be created.
 */
export async function insertBuild(context: Context, subject: BuildParent, newBuild: NewBuild): Promise<BuildRow> {
  const { organization, pipeline } = subject;
  refuseBuild(pipeline, newBuild);
  const standard = standardVariables(organization, pipeline, newBuild);
  const own = Object.fromEntries(
    Object.entries(newBuild.env).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
  const definition = await definitionForBuild(context, pipeline, { standard, own });
  const conditions = await conditionFacts(context, subject, newBuild, definition.env);
  const planned = planSteps(definition, { branch: newBuild.branch, conditions }, () => context.newId());
  const jobCount = planned.reduce((count, step) => count + step.jobs.length, 0);
  if (jobCount > limits.jobsPerBuild)
    throw wrongState(`A build may have at most ${limits.jobsPerBuild} jobs; this one would have ${jobCount}.`);

  const build = draft(subject, newBuild, definition, await drawNumber(context, pipeline.id));
  const steps = stepRows(context, build, planned);
  const jobs = await jobRows(context, subject, { id: build.id, scheduledAt: build.createdAt }, definition, planned);
  // The scheduler reads only columns that the new rows have; the others get their defaults at the insert.
  const loaded = {
    build: build as unknown as BuildRow,
    steps: steps as unknown as StepRow[],
    jobs: jobs as unknown as JobRow[],
  };
  const decision = schedule(scheduleFacts(loaded));
  const changes = new Map(decision.jobs.map((change) => [change.id, change]));
  await recordInsertedJobs(context, loaded, jobs, changes);

  await insertRows(context, 'steps', steps);
  await insertRows(context, 'jobs', jobs);
  await insertMetaData(context, organization.id, build.id, newBuild.metaData);
  const dropped = await dropIntermediateBuilds(context, pipeline, build.id, newBuild.branch);
  const inserted = await context.db.insertInto('builds').values(build).returningAll().executeTakeFirstOrThrow();
  context.record({
    organizationId: organization.id,
    subject: 'build',
    subjectId: inserted.id,
    pipelineId: pipeline.id,
    buildId: inserted.id,
    type: 'build.create',
    to: 'creating',
    reason: newBuild.source,
    data: { dropped_builds: dropped },
  });
  return applyRollup(context, inserted, decision.build, 'created');
}

function refuseBuild(pipeline: PipelineRow, newBuild: NewBuild): void {
  refuseGitName('branch', newBuild.branch, limits.branchLength);
  refuseGitName('commit', newBuild.commit, limits.commitLength);
  if (pipeline.archivedAt !== null) throw wrongState('Builds cannot be created for an archived pipeline');
  const filtered =
    !newBuild.ignorePipelineBranchFilters &&
    newBuild.pullRequestId === null &&
    !matchesBranch(pipeline.branchConfiguration, newBuild.branch);
  if (filtered)
    throw wrongState(
      `Branch ${newBuild.branch} has been disabled for this pipeline: its branch filter is ${JSON.stringify(pipeline.branchConfiguration)}`,
    );
}

/** Checks fields stored by trigger steps, deliveries and older releases, which skip the checks of a request. */
function refuseGitName(field: 'branch' | 'commit', name: string, length: number): void {
  const problem = name.length > length ? `is too long (maximum is ${length} characters)` : gitNameProblem(name);
  if (problem !== null) throw invalidField(field, problem);
}

type Draft = NewRow<'builds'> & { id: string; createdAt: Date };

function draft(
  { organization, pipeline }: BuildParent,
  { metaData: _metaData, ...columns }: NewBuild,
  definition: Pick<PipelineDefinition, 'env' | 'notify'>,
  numbering: BuildNumbering,
): Draft {
  return {
    ...columns,
    ...numbering,
    organizationId: organization.id,
    pipelineId: pipeline.id,
    state: 'creating',
    pipelineEnv: definition.env,
    notify: definition.notify,
    scheduledAt: numbering.createdAt,
    failing: false,
    cancelRequestedAt: null,
  };
}

async function insertMetaData(
  context: Context,
  organizationId: string,
  buildId: string,
  metaData: Record<string, string>,
): Promise<void> {
  const rows = Object.entries(metaData).map(([key, value]) => ({ buildId, key, organizationId, value }));
  if (rows.length > 0) await context.db.insertInto('build_meta_data').values(rows).execute();
}
