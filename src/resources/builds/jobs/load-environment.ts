import type { Context } from '../../../request/context.js';
import { type EnvironmentFacts, jobEnvironment } from '../../../domain/builds/job-environment.js';
import type { AgentRow, BuildRow, JobRow } from '../../../entities/database.js';
import { loadOrNull } from '../../../loaders/batch-loader.js';
import { loadAll } from '../../../loaders/load-all.js';
import { type EnvChange } from '../../../loaders/loaders.js';
import { webUrls } from '../../../services/web-urls.js';
import { connectionHost } from '../../../domain/integrations/provider-connection.js';
import { parseRepositoryUrl } from '../../../domain/pipelines/repository-url.js';
import { isDrivenByFork } from '../../integrations/repository-tokens/fork-builds.js';
import { teamSlugsOf } from '../../../engine/new-builds/team-slugs-of-user.js';

/**
 * Returns the environment of a job, as its agent gets it and /v2 shows it; with agent variables once the job is
 * assigned.
 */
export async function loadJobEnvironment(
  context: Context,
  job: JobRow,
  agent?: AgentRow,
): Promise<Record<string, string>> {
  const factsOf = await loadEnvironmentFacts(context, [job]);
  const facts = factsOf(job);
  return jobEnvironment(agent ? { ...facts, agent } : facts);
}

/** Loads the facts of the jobs' environments, with the same few statements for one job and for thousands. */
export async function loadEnvironmentFacts(
  context: Context,
  jobs: readonly JobRow[],
): Promise<(job: JobRow) => EnvironmentFacts> {
  const { load, services, uncheckedRows } = context;
  const [organizations, pipelines, teams, builds, steps, agents, clusters, unblockings, appHosts] = await Promise.all([
    loadAll(
      load.organization,
      jobs.map((job) => job.organizationId),
    ),
    loadAll(
      uncheckedRows.pipeline,
      jobs.map((job) => job.pipelineId),
    ),
    loadAll(
      load.teamSlugsOfPipeline,
      jobs.map((job) => job.pipelineId),
    ),
    loadAll(
      uncheckedRows.build,
      jobs.map((job) => job.buildId),
    ),
    loadAll(
      load.stepSummary,
      jobs.map((job) => job.stepId),
    ),
    loadAll(
      load.agent,
      jobs.map((job) => job.agentId),
    ),
    loadAll(
      load.cluster,
      jobs.map((job) => job.clusterId),
    ),
    loadAll(
      load.unblockingsOfBuild,
      jobs.map((job) => job.buildId),
    ),
    loadAll(
      load.appHostsOfOrganization,
      jobs.map((job) => job.organizationId),
    ),
  ]);
  const unblockerId = (job: JobRow) =>
    unblockings.get(job.buildId)?.findLast(({ position }) => position < job.position)?.unblockedById ?? null;
  const [groups, factsOfBuilds, unblockers] = await Promise.all([
    loadAll(
      load.stepSummary,
      [...steps.values()].map((step) => step?.groupId ?? null),
    ),
    Promise.all([...builds.values()].flatMap((build) => (build ? [buildFacts(context, build)] : []))),
    Promise.all(
      [...new Map(jobs.map((job) => [unblockerId(job), job.organizationId]))].map(([id, organizationId]) =>
        personWithTeams(context, organizationId, id),
      ),
    ),
  ]);
  const buildsById = new Map(factsOfBuilds.map((build) => [build.id, build]));
  const withTokens = new Set<string>();
  for (const build of factsOfBuilds) {
    const hosts = appHosts.get(build.organizationId) ?? [];
    const pipeline = pipelines.get(build.pipelineId);
    if (pipeline && isClonedFrom(pipeline.repository, hosts) && !(await isDrivenByFork(context, build)))
      withTokens.add(build.id);
  }
  const envChanges = await loadAll(
    load.envChangesOfBuild,
    factsOfBuilds.map(({ id, uploadCount }) => (uploadCount > 0 ? id : null)),
  );
  const people = new Map(unblockers.flatMap((person) => (person ? [[person.id, person]] : [])));
  return (job) => {
    const organization = organizations.get(job.organizationId);
    const pipeline = pipelines.get(job.pipelineId);
    const build = buildsById.get(job.buildId);
    const step = steps.get(job.stepId);
    if (!organization || !pipeline || !build || !step) throw new Error(`job ${job.id} has lost its build`);
    return {
      webUrl: webUrls.build(services.baseUrl, organization.slug, pipeline.slug, build.number),
      organization,
      cluster: clusters.get(job.clusterId ?? '') ?? null,
      pipeline: { ...pipeline, teams: teams.get(job.pipelineId) ?? [] },
      build: {
        ...build,
        hasRepositoryTokens: withTokens.has(build.id),
        pipelineEnv: pipelineEnvOf(job, build, envChanges.get(build.id) ?? []),
      },
      step,
      group: groups.get(step.groupId ?? '') ?? null,
      job,
      unblocker: people.get(unblockerId(job) ?? '') ?? null,
      agent: agents.get(job.agentId ?? '') ?? null,
    };
  };
}

/** The pipeline's environment when the agent took the job; the present one for a job that none has taken. */
function pipelineEnvOf(
  { uploadCount }: JobRow,
  { pipelineEnv }: Pick<BuildRow, 'pipelineEnv'>,
  changes: readonly EnvChange[],
): Record<string, string> {
  if (uploadCount === null) return pipelineEnv;
  return changes.find(({ sequence }) => sequence > uploadCount)?.before ?? pipelineEnv;
}

/** Whether git clones a repository over HTTPS, where it asks for a token, from one of these hosts. */
function isClonedFrom(repository: string, hosts: readonly string[]): boolean {
  if (hosts.length === 0) return false;
  const url = parseRepositoryUrl(repository);
  return url?.form === 'https' && url.host !== null && hosts.includes(connectionHost(url.host));
}

async function buildFacts(
  context: Context,
  build: BuildRow,
): Promise<Omit<EnvironmentFacts['build'], 'hasRepositoryTokens'> & BuildRow> {
  // The agent gets everything; to a person the build that triggered this one may be hidden.
  const others = context.actor.kind === 'user' ? context.references : context.uncheckedRows;
  const [rebuiltFrom, triggeredFrom, creator] = await Promise.all([
    loadOrNull(others.build, build.rebuiltFromId),
    triggerOf(others, build),
    personWithTeams(context, build.organizationId, build.creatorId),
  ]);
  return {
    ...build,
    creator,
    pullRequest:
      build.pullRequestId === null
        ? null
        : {
            id: build.pullRequestId,
            baseBranch: build.pullRequestBaseBranch,
            repository: build.pullRequestRepository,
            labels: build.pullRequestLabels,
            draft: build.pullRequestDraft,
          },
    rebuiltFrom,
    triggeredFrom,
  };
}

async function triggerOf(
  others: Context['references'] | Context['uncheckedRows'],
  { triggeredFromJobId }: BuildRow,
): Promise<EnvironmentFacts['build']['triggeredFrom']> {
  const trigger = await loadOrNull(others.job, triggeredFromJobId);
  const parent = trigger && (await others.build.load(trigger.buildId));
  const pipeline = parent && (await others.pipeline.load(parent.pipelineId));
  return pipeline && { id: parent.id, number: parent.number, pipelineSlug: pipeline.slug };
}

async function personWithTeams(context: Context, organizationId: string, userId: string | null) {
  const user = await loadOrNull(context.load.user, userId);
  return (
    user && {
      id: user.id,
      name: user.name,
      email: user.email,
      teams: await teamSlugsOf(context, organizationId, user.id),
    }
  );
}
