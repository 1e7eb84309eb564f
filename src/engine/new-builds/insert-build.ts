import type { Context } from '../../request/context.js';
import { matchesBranch } from '../../domain/pipelines/branch-pattern.js';
import { traceparentOfNewBuild } from '../../domain/builds/trace-ids.js';
import { gitNameProblem } from '../../domain/builds/git-name.js';
import { byteLength, limits } from '../../domain/limits/limits.js';
import { limitOf } from '../../domain/limits/raised-limits.js';
import { invalidField, wrongState } from '../../domain/problem.js';
import { schedule } from '../../domain/builds/schedule.js';
import { hasStepNotify } from '../../domain/pipelines/steps/step-notify.js';
import type { PipelineDefinition } from '../../domain/pipelines/steps/step.js';
import type { BuildRow, JobRow, OrganizationRow, PipelineRow, StepRow } from '../../entities/database.js';
import { countsWithBuild } from '../../loaders/pipeline-counts.js';
import { loadOrNull } from '../../loaders/batch-loader.js';
import { type Loaders } from '../../loaders/loaders.js';
import { moveNewBuild } from '../state/builds.js';
import { recordInsertedJobs } from '../builds/apply-changes.js';
import { scheduleFacts } from '../builds/load-facts.js';
import { stepSummaryOf } from '../builds/step-summary.js';
import { definitionForBuild } from './definition-for-build.js';
import { conditionFacts, primeFacts, standardVariables } from './build-facts.js';
import { planSteps } from './build-plan.js';
import { type BuildNumbering, drawNumber } from './draw-number.js';
import { dropIntermediateBuilds } from './supersede.js';
import { jobRows, type NewStep, stepRows } from './build-rows.js';
import type { NewBuild } from './new-build.js';

/** Organization and pipeline of a new build. */
export interface BuildParent {
  organization: OrganizationRow;
  pipeline: PipelineRow;
}

/**
 * Inserts a build with its steps and jobs, each job already in the state the scheduler gives it, in the open
 * transaction. Expensive work is done before the number is drawn, which locks the pipeline's row until the commit.
 * `steps` takes the place of the pipeline's definition. Throws `invalid` or `wrong_state` for a build that may not be
 * created.
 */
export async function insertBuild(
  context: Context,
  subject: BuildParent,
  newBuild: NewBuild,
  steps?: PipelineDefinition,
): Promise<BuildRow> {
  const build = await queueBuild(context, subject, newBuild, steps);
  await context.flush();
  return build;
}

/** The same, written with what else the transaction records; a reply finds the new rows without reading them. */
export async function queueBuild(
  context: Context,
  subject: BuildParent,
  newBuild: NewBuild,
  steps?: PipelineDefinition,
): Promise<BuildRow> {
  const { organization, pipeline } = subject;
  context.load.organization.prime(organization.id, organization);
  refuseBuild(pipeline, newBuild);
  const standard = standardVariables(organization, pipeline, newBuild);
  const own = Object.fromEntries(
    Object.entries(newBuild.env).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
  const definition = steps ?? (await definitionForBuild(context, pipeline, { standard, own }));
  await primeFacts(context, subject, newBuild);
  const conditions = await conditionFacts(context, subject, newBuild, definition.env);
  const planned = planSteps(definition, { branch: newBuild.branch, conditions }, () => context.newId());
  const jobCount = planned.reduce((count, step) => count + step.jobs.length, 0);
  if (jobCount > limits.jobsPerBuild)
    throw wrongState(`A build may have at most ${limits.jobsPerBuild} jobs; this one would have ${jobCount}.`);

  const { pipeline: counted, counts, ...numbering } = await drawNumber(context, pipeline.id);
  const build = draft(subject, newBuild, definition, { ...numbering, traceparent: traceparentOf(context, newBuild) });
  const isPush = newBuild.culpritSearchId === null;
  const dropped = isPush ? await dropIntermediateBuilds(context, pipeline, build.id, newBuild.branch) : [];
  const newSteps = stepRows(context, build, planned);
  const jobs = await jobRows(context, subject, { id: build.id, scheduledAt: build.createdAt }, definition, planned);
  // The scheduler reads only columns that the new rows have; the others get their defaults at the insert.
  const loaded = { build, steps: newSteps as unknown as StepRow[], jobs: jobs as unknown as JobRow[] };
  const decision = schedule(scheduleFacts(loaded));
  const changes = new Map(decision.jobs.map((change) => [change.id, change]));
  await recordInsertedJobs(context, jobs, changes);
  context.record({
    organizationId: organization.id,
    subject: 'build',
    subjectId: build.id,
    pipelineId: pipeline.id,
    buildId: build.id,
    type: 'build.create',
    to: 'creating',
    reason: newBuild.source,
    data: { dropped_builds: dropped },
  });
  const inserted = moveNewBuild(context, build, decision.build, 'created');
  const { metaData } = newBuild;
  const creator = await loadOrNull(context.load.user, newBuild.creatorId);
  context.insert('builds', [inserted]);
  context.insert('steps', newSteps);
  context.insert('jobs', jobs, (rows) =>
    context.recorder.known.push((load) => primeNewBuild(load, inserted, newSteps, rows)),
  );
  context.insert(
    'build_meta_data',
    Object.entries(metaData).map(([key, value]) => ({
      buildId: build.id,
      key,
      organizationId: organization.id,
      value,
    })),
  );
  context.recorder.known.push((load, references) => {
    // The caller may create builds of it, so it may see it.
    references.pipeline.prime(pipeline.id, counted);
    load.organization.prime(organization.id, organization);
    // Builds that it replaced have changed the counts since they were read.
    if (dropped.length === 0) load.pipelineCounts.prime(pipeline.id, countsWithBuild(counts, inserted, jobs));
    if (creator) load.user.prime(creator.id, creator);
    if (Object.keys(metaData).length === 0) load.metaDataOfBuild.prime(build.id, {});
  });
  return inserted;
}

/** Gives the rows of a new build to the loaders of a reply. */
function primeNewBuild(load: Loaders, build: BuildRow, steps: readonly NewStep[], jobs: readonly JobRow[]): void {
  const inOrder = [...jobs].sort((one, other) => one.position - other.position || (one.id < other.id ? -1 : 1));
  load.jobsOfBuild.prime(build.id, inOrder);
  for (const step of steps) load.stepSummary.prime(step.id, stepSummaryOf(step));
}

function refuseBuild(pipeline: PipelineRow, newBuild: NewBuild): void {
  refuseGitName('branch', newBuild.branch, limits.branchLength);
  refuseGitName('commit', newBuild.commit, limits.commitLength);
  refuseSize('env', byteLength(JSON.stringify(newBuild.env)), limits.envBytes + addedEnvBytes);
  // Like in a request, by characters.
  refuseSize('message', newBuild.message?.length ?? 0, limits.messageBytes);
  const metaData = Object.entries(newBuild.metaData).flat().join('');
  refuseSize('metaData', byteLength(metaData), limitOf('metaDataBytes'));
  if (pipeline.archivedAt !== null) throw wrongState('Builds cannot be created for an archived pipeline');
  const filtered =
    !newBuild.ignorePipelineBranchFilters &&
    newBuild.pullRequestId === null &&
    !matchesBranch(pipeline.branchConfiguration, newBuild.branch);
  if (filtered)
    throw wrongState(
      `Branch ${newBuild.branch} has been disabled for this pipeline: its branch ` +
        `filter is ${JSON.stringify(pipeline.branchConfiguration)}`,
    );
}

/** Room for variables that the server adds to those of a build's author, such as `BUILDKITE_PARALLEL_JOB`. */
const addedEnvBytes = 1024;

function refuseSize(field: 'env' | 'message' | 'metaData', size: number, most: number): void {
  if (size > most) throw invalidField(field, `is too long: ${size} (maximum is ${most})`);
}

/** Checks fields stored by trigger steps, deliveries and older releases, which skip the checks of a request. */
function refuseGitName(field: 'branch' | 'commit', name: string, length: number): void {
  const problem = name.length > length ? `is too long (maximum is ${length} characters)` : gitNameProblem(name);
  if (problem !== null) throw invalidField(field, problem);
}

/** Columns of a build that nothing has happened to. */
const untouched = {
  state: 'creating',
  failing: false,
  blockedState: null,
  cancelReason: null,
  canceledById: null,
  uploadCount: 0,
  eventSequence: 0,
  startedAt: null,
  failingAt: null,
  cancelRequestedAt: null,
  canceledAt: null,
  finishedAt: null,
  pinnedAt: null,
  pinnedById: null,
  pinReason: null,
  logsExpiredAt: null,
  artifactsExpiredAt: null,
} satisfies Partial<BuildRow>;

/** A rebuild is no part of the trace that its original was: the variables were copied. */
const traceparentOf = ({ request: { traceparent } }: Context, { env, rebuiltFromId }: NewBuild) =>
  traceparentOfNewBuild(rebuiltFromId === null ? env : {}, traceparent);

function draft(
  { organization, pipeline }: BuildParent,
  { metaData: _metaData, ...columns }: NewBuild,
  definition: Pick<PipelineDefinition, 'env' | 'notify' | 'steps'>,
  numbering: BuildNumbering & Pick<BuildRow, 'traceparent'>,
): BuildRow {
  return {
    ...untouched,
    ...columns,
    ...numbering,
    organizationId: organization.id,
    pipelineId: pipeline.id,
    pipelineEnv: definition.env,
    notify: definition.notify,
    stepNotify: hasStepNotify(definition.steps),
    scheduledAt: numbering.createdAt,
  };
}
