import { sql } from 'kysely';
import type { Context } from '../../request/context.js';
import { compiled } from '../../database/compiled.js';
import { rowAsColumns } from '../../database/row-conversion.js';
import type { ConditionFacts } from '../../domain/pipelines/conditions/condition.js';
import type { OrganizationRow, PipelineRow, UserRow } from '../../entities/database.js';
import { loadOrNull } from '../../loaders/batch-loader.js';
import type { Loaders, RoutedQueue } from '../../loaders/loaders.js';
import { teamSlugsOf } from './team-slugs-of-user.js';
import type { NewBuild } from './new-build.js';

/** Standard variables known before the build's jobs exist, for interpolation of stored steps. */
export function standardVariables(
  organization: OrganizationRow,
  pipeline: PipelineRow,
  build: NewBuild,
): Record<string, string> {
  return {
    BUILDKITE_BRANCH: build.branch,
    BUILDKITE_TAG: build.tag ?? '',
    BUILDKITE_MESSAGE: build.message ?? '',
    BUILDKITE_COMMIT: build.commit,
    BUILDKITE_PIPELINE_SLUG: pipeline.slug,
    BUILDKITE_PIPELINE_NAME: pipeline.name,
    BUILDKITE_PIPELINE_ID: pipeline.id,
    BUILDKITE_ORGANIZATION_SLUG: organization.slug,
    BUILDKITE_REPO: pipeline.repository,
    BUILDKITE_PULL_REQUEST: build.pullRequestId ?? 'false',
    BUILDKITE_PULL_REQUEST_BASE_BRANCH: build.pullRequestBaseBranch ?? '',
    BUILDKITE_PULL_REQUEST_REPO: build.pullRequestRepository ?? '',
  };
}

/** What the plan of a build needs of its creator, `u`, and of the queues of its cluster. */
export interface NewBuildFacts {
  user: UserRow;
  teams: string[] | null;
  queues: RoutedQueue[] | null;
}

/** The columns of {@link NewBuildFacts}, for a statement that has the creator as `u`. */
export const newBuildFactColumns = (organizationId: unknown, clusterId: unknown) => sql`
  ${rowAsColumns('users', 'u', 'user')}, (
    select json_agg(t.slug order by t.slug) from team_members m join teams t on t.id = m.team_id
    where m.organization_id = ${organizationId} and m.user_id = u.id
  ) as teams, (
    select json_agg(json_build_object('id', q.id, 'key', q.key, 'clusterId', q.cluster_id, 'defaultQueueId',
      c.default_queue_id))
    from cluster_queues q join clusters c on c.id = q.cluster_id where q.cluster_id = ${clusterId}
  ) as queues`;

const factsOfNewBuild = compiled<{ userId: string; organizationId: string; clusterId: string | null }, NewBuildFacts>(
  'facts-of-new-build',
  (_db, { userId, organizationId, clusterId }) =>
    sql`select ${newBuildFactColumns(organizationId, clusterId)} from users u where u.id = ${userId}`,
);

/** The creator whose facts a request's loaders have by now. */
const primed = new WeakMap<Loaders, string>();

/** Gives the facts of a build by this creator to the loaders. */
export function giveFacts(
  load: Loaders,
  { organizationId, clusterId }: Pick<PipelineRow, 'organizationId' | 'clusterId'>,
  { user, teams, queues }: NewBuildFacts,
): void {
  load.user.prime(user.id, user);
  load.teamSlugsOfUser.prime(`${organizationId} ${user.id}`, teams ?? []);
  if (clusterId !== null) load.queuesOfCluster.prime(clusterId, queues ?? []);
  primed.set(load, user.id);
}

/**
 * Reads with one statement what the plan of a build with a creator needs, unless it was read with the pipeline: the
 * creator with teams, and the queues of the cluster. The loader of queues suffices for others.
 */
export async function primeFacts(
  { db, load }: Context,
  { pipeline }: { pipeline: PipelineRow },
  { creatorId }: Pick<NewBuild, 'creatorId'>,
): Promise<void> {
  if (creatorId === null || primed.get(load) === creatorId) return;
  const { organizationId, clusterId } = pipeline;
  const [facts] = await factsOfNewBuild(db, { userId: creatorId, organizationId, clusterId });
  if (facts) giveFacts(load, pipeline, facts);
}

/** Loads the variables that a step's `if` can read. */
export async function conditionFacts(
  context: Context,
  { organization, pipeline }: { organization: OrganizationRow; pipeline: PipelineRow },
  build: NewBuild,
  pipelineEnv: Record<string, string>,
): Promise<ConditionFacts> {
  const creator = await loadOrNull(context.load.user, build.creatorId);
  const author = build.author ?? (creator ? { name: creator.name, email: creator.email } : null);
  return {
    values: {
      'build.state': 'creating',
      'build.source': build.source,
      'build.branch': build.branch,
      'build.tag': build.tag,
      'build.message': build.message,
      'build.commit': build.commit,
      'build.creator.id': creator?.id ?? null,
      'build.creator.name': creator?.name ?? null,
      'build.creator.email': creator?.email ?? null,
      'build.creator.teams': creator ? await teamSlugsOf(context, organization.id, creator.id) : null,
      'build.creator.verified': creator !== null,
      'build.author.name': author?.name ?? null,
      'build.author.email': author?.email ?? null,
      'build.pull_request.id': build.pullRequestId,
      'build.pull_request.base_branch': build.pullRequestBaseBranch,
      'build.pull_request.draft': build.pullRequestDraft,
      'build.pull_request.labels': build.pullRequestId === null ? null : build.pullRequestLabels,
      'build.pull_request.repository': build.pullRequestRepository,
      'build.pull_request.repository.fork': build.pullRequestRepository
        ? build.pullRequestRepository !== pipeline.repository
        : null,
      'pipeline.id': pipeline.id,
      'pipeline.slug': pipeline.slug,
      'pipeline.name': pipeline.name,
      'pipeline.default_branch': pipeline.defaultBranch,
      'pipeline.repository': pipeline.repository,
      'organization.id': organization.id,
      'organization.slug': organization.slug,
      ...build.conditions,
    },
    buildEnv: Object.fromEntries(
      Object.entries(build.env).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    ),
    pipelineEnv,
  };
}
