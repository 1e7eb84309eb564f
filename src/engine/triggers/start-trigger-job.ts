import { standing, pipelineAccess } from '../../auth/authorize.js';
import type { Context } from '../../request/context.js';
import { branchOfNewBuilds } from '../../domain/pipelines/default-branch.js';
import { limits } from '../../domain/limits/limits.js';
import { lastStamp, notBefore } from '../../domain/builds/job-columns.js';
import { Problem } from '../../domain/problem.js';
import { mayTrigger } from '../../domain/agents/organization-rules.js';
import type { TriggerStep } from '../../domain/pipelines/steps/step.js';
import type { BuildRow, JobRow, OrganizationRow, PipelineRow } from '../../entities/database.js';
import { loadOrNull } from '../../loaders/batch-loader.js';
import { insertBuild } from '../new-builds/insert-build.js';
import { newBuild } from '../new-builds/new-build.js';
import { isAllowedByRule } from './allowed-by-rule.js';
import { advanceBuild } from '../builds/advance-build.js';
import { endJob } from '../builds/end-job.js';
import { stepDefinition } from '../builds/load-facts.js';
import { lockJob } from '../builds/lock-job.js';
import { changeJobs, moveJob } from '../state/jobs.js';

/**
 * Creates the build of a ready trigger job: same creator, source `trigger_job`, environment not inherited. An
 * asynchronous job passes as soon as the build exists; a synchronous one runs until the build ends. A refusal fails the
 * job, with the reason in its events. Repeating it changes nothing.
 */
export async function startTrigger(context: Context, jobId: string): Promise<void> {
  const locked = await lockJob(context, { id: jobId });
  if (locked?.job.state !== 'scheduled') return;
  const { build, job } = locked;
  const step = await context.load.step.load(job.stepId);
  const organization = await context.load.organization.load(job.organizationId);
  if (!step || !organization) return;
  const child = await createChild(context, organization, build, job, stepDefinition(step) as TriggerStep).catch(
    (error: unknown) => {
      if (error instanceof Problem) return error;
      throw error;
    },
  );
  if (child instanceof Problem) {
    const fields = child.details.fields?.map(({ field, code }) => `${field} ${code}`).join(', ');
    await endJob(context, build, job, {
      event: 'fail',
      exitStatus: null,
      reason: fields ? `${child.message}: ${fields}` : child.message,
    });
    return;
  }
  await changeJobs(context, [job.id], { triggeredBuildId: child.id });
  await context.flush();
  // The child may have superseded the very build that triggered it, and ended its jobs.
  const current = await context.db
    .selectFrom('builds')
    .selectAll()
    .where('id', '=', build.id)
    .executeTakeFirstOrThrow();
  const triggering = await context.db.selectFrom('jobs').selectAll().where('id', '=', job.id).executeTakeFirstOrThrow();
  if (triggering.state === 'scheduled') await goOn(context, current, triggering);
}

/**
 * Fails a trigger job whose build could not be created for an error of the server, which is not the caller's to read.
 * Does nothing if the job has started or ended meanwhile.
 */
export async function failTrigger(
  context: Context,
  jobId: string,
  reason = 'The build could not be created because of an error of the server, which is in its log',
): Promise<void> {
  const locked = await lockJob(context, { id: jobId });
  if (locked?.job.state !== 'scheduled') return;
  await endJob(context, locked.build, locked.job, { event: 'fail', exitStatus: null, reason });
}

/**
 * Continues the trigger job once the child exists: an asynchronous one passes, a synchronous one runs until the child
 * ends.
 */
async function goOn(context: Context, build: BuildRow, job: JobRow): Promise<void> {
  if (job.async) {
    const startedAt = notBefore(context.now, lastStamp(job));
    await changeJobs(context, [job.id], { startedAt });
    await endJob(context, build, { ...job, startedAt }, { event: 'pass', exitStatus: 0, reason: 'triggered' });
    return;
  }
  await moveJob(context, job, 'start', { reason: 'triggered' });
  await advanceBuild(context, build, { reason: 'triggered' });
}

async function createChild(
  context: Context,
  organization: OrganizationRow,
  parent: BuildRow,
  job: JobRow,
  step: TriggerStep,
): Promise<BuildRow> {
  if (parent.triggerDepth >= limits.triggerDepth)
    throw new Problem('wrong_state', `Trigger steps may be chained at most ${limits.triggerDepth} deep`);
  const pipeline = await context.db
    .selectFrom('pipelines')
    .selectAll()
    .where('organizationId', '=', organization.id)
    .where('slug', '=', step.trigger)
    .executeTakeFirst();
  const may = pipeline ? await triggering(context, organization, parent, pipeline) : 'no';
  if (!pipeline || may === 'no')
    throw new Problem(
      'not_found',
      `Could not find a pipeline with the slug "${step.trigger}" that this build may trigger`,
    );
  if (may === 'other_cluster')
    throw new Problem(
      'forbidden',
      `The pipeline "${step.trigger}" is in another cluster, and no rule allows this pipeline to trigger it`,
    );
  const parallel: Record<string, string> =
    job.parallelGroupTotal === null
      ? {}
      : {
          BUILDKITE_PARALLEL_JOB: String(job.parallelGroupIndex),
          BUILDKITE_PARALLEL_JOB_COUNT: String(job.parallelGroupTotal),
        };
  const build = newBuild({
    commit: step.build.commit ?? 'HEAD',
    branch: step.build.branch ?? branchOfNewBuilds(pipeline),
    message: step.build.message ?? step.label,
    author: parent.author,
    env: { ...step.build.env, ...parallel },
    metaData: step.build.metaData,
    source: 'trigger_job',
    creatorId: parent.creatorId,
    triggeredFromJobId: job.id,
    triggerDepth: parent.triggerDepth + 1,
  });
  return insertBuild(context, { organization, pipeline }, build);
}

/**
 * Whether a build may trigger this pipeline: through a rule, or else within its cluster and by the rights of people.
 */
async function triggering(
  context: Context,
  organization: OrganizationRow,
  parent: BuildRow,
  pipeline: PipelineRow,
): Promise<ReturnType<typeof mayTrigger>> {
  const rule = await isAllowedByRule(context, 'trigger_build', parent, pipeline.id);
  const source = await context.uncheckedRows.pipeline.load(parent.pipelineId);
  const permitted = rule || (await peopleMayTrigger(context, organization, parent, pipeline));
  return mayTrigger({ rule, permitted, fromCluster: source?.clusterId ?? null, toCluster: pipeline.clusterId });
}

/** With teams on, the build's creator must be allowed to build the target; without a creator a shared team must be. */
async function peopleMayTrigger(
  context: Context,
  organization: OrganizationRow,
  parent: BuildRow,
  pipeline: PipelineRow,
): Promise<boolean> {
  if (!organization.teamsEnabled) return true;
  const creator = await loadOrNull(context.load.user, parent.creatorId);
  if (!creator) return sharesTeam(context, parent.pipelineId, pipeline.id);
  const member = await context.db
    .selectFrom('organization_members')
    .select('role')
    .where('organizationId', '=', organization.id)
    .where('userId', '=', creator.id)
    .executeTakeFirst();
  if (!member) return false;
  const actor = {
    kind: 'user' as const,
    userId: creator.id,
    apiTokenId: null,
    sessionId: null,
    scopes: new Set<string>(),
    organizations: 'all' as const,
    roles: new Map([[organization.id, member.role]]),
  };
  if (standing(actor, organization.id) === 'admin') return true;
  const level = await pipelineAccess(context.db, actor, organization, pipeline);
  return level === 'build_and_read' || level === 'manage_build_and_read';
}

async function sharesTeam(context: Context, parentPipelineId: string, targetPipelineId: string): Promise<boolean> {
  const row = await context.db
    .selectFrom('team_pipelines as a')
    .innerJoin('team_pipelines as b', 'b.teamId', 'a.teamId')
    .select('a.id')
    .where('a.pipelineId', '=', parentPipelineId)
    .where('b.pipelineId', '=', targetPipelineId)
    .where('a.accessLevel', 'in', ['build_and_read', 'manage_build_and_read'])
    .where('b.accessLevel', 'in', ['build_and_read', 'manage_build_and_read'])
    .executeTakeFirst();
  return row !== undefined;
}
