import type { Context } from '../../context.js';
import { jobEnvironment } from '../../domain/job-environment.js';
import type { AgentRow, BuildRow, JobRow } from '../../entities/database.js';
import { loadOrNull } from '../../loaders.js';
import { webUrls } from '../../web-urls.js';
import { teamSlugsOf } from '../teams/slugs-of-user.js';
import { stepDefinition } from '../scheduling/load-facts.js';

/** The environment of a job as the agent gets it and as /v2 shows it; agent variables once the job is assigned. */
export async function loadJobEnvironment(context: Context, job: JobRow, agent?: AgentRow): Promise<Record<string, string>> {
  const { load, services } = context;
  const [organization, pipeline, build, step] = await Promise.all([
    load.organization.load(job.organizationId),
    load.pipeline.load(job.pipelineId),
    load.build.load(job.buildId),
    load.step.load(job.stepId),
  ]);
  if (!organization || !pipeline || !build || !step) throw new Error(`job ${job.id} has lost its build`);
  const holder = agent ?? (await loadOrNull(load.agent, job.agentId));
  const cluster = await loadOrNull(load.cluster, job.clusterId);
  const group = await loadOrNull(load.step, step.groupId);
  const definition = stepDefinition(step);
  return jobEnvironment({
    webUrl: webUrls.build(services.baseUrl, organization.slug, pipeline.slug, build.number),
    organization,
    cluster,
    pipeline: { ...pipeline, teams: await pipelineTeams(context, pipeline.id) },
    build: await buildFacts(context, organization.id, build),
    step: { id: step.id, key: step.key, image: definition.type === 'command' ? definition.image : null },
    group,
    job,
    unblocker: await lastUnblocker(context, job),
    agent: holder,
  });
}

async function buildFacts(context: Context, organizationId: string, build: BuildRow) {
  const { load } = context;
  const rebuiltFrom = await loadOrNull(load.build, build.rebuiltFromId);
  const trigger = await loadOrNull(load.job, build.triggeredFromJobId);
  const parent = trigger ? await load.build.load(trigger.buildId) : null;
  const parentPipeline = parent ? await load.pipeline.load(parent.pipelineId) : null;
  const creator = await loadOrNull(load.user, build.creatorId);
  return {
    ...build,
    creator: creator ? { name: creator.name, email: creator.email, teams: await teamSlugsOf(context, organizationId, creator.id) } : null,
    pullRequest:
      build.pullRequestId === null
        ? null
        : { id: build.pullRequestId, baseBranch: build.pullRequestBaseBranch, repository: build.pullRequestRepository, labels: build.pullRequestLabels, draft: build.pullRequestDraft },
    rebuiltFrom,
    triggeredFrom: parent && parentPipeline ? { id: parent.id, number: parent.number, pipelineSlug: parentPipeline.slug } : null,
  };
}

/** Whoever last released a block before this job in its build. */
async function lastUnblocker(context: Context, job: JobRow) {
  const row = await context.db
    .selectFrom('jobs')
    .select('unblockedById')
    .where('buildId', '=', job.buildId)
    .where('state', '=', 'unblocked')
    .where('position', '<', job.position)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();
  const user = await loadOrNull(context.load.user, row?.unblockedById ?? null);
  return user ? { id: user.id, name: user.name, email: user.email, teams: await teamSlugsOf(context, job.organizationId, user.id) } : null;
}

async function pipelineTeams(context: Context, pipelineId: string): Promise<string[]> {
  const rows = await context.db
    .selectFrom('team_pipelines as p')
    .innerJoin('teams as t', 't.id', 'p.teamId')
    .select('t.slug')
    .where('p.pipelineId', '=', pipelineId)
    .where('t.privacy', '=', 'visible')
    .orderBy('t.slug')
    .execute();
  return rows.map((row) => row.slug);
}
