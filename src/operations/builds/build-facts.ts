import type { Context } from '../../context.js';
import type { ConditionFacts } from '../../domain/conditional/condition.js';
import type { OrganizationRow, PipelineRow } from '../../entities/database.js';
import { loadOrNull } from '../../loaders.js';
import { teamSlugsOf } from '../teams/slugs-of-user.js';
import type { NewBuild } from './new-build.js';

/** The standard variables that are known before a build's jobs are: what stored steps may be interpolated with. */
export function standardVariables(organization: OrganizationRow, pipeline: PipelineRow, build: NewBuild): Record<string, string> {
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
    BUILDKITE_PULL_REQUEST: build.pullRequest?.id ?? 'false',
    BUILDKITE_PULL_REQUEST_BASE_BRANCH: build.pullRequest?.baseBranch ?? '',
    BUILDKITE_PULL_REQUEST_REPO: build.pullRequest?.repository ?? '',
  };
}

/** What a step's `if` may ask of the build (rest-facts 4.10). */
export async function conditionFacts(
  context: Context,
  { organization, pipeline }: { organization: OrganizationRow; pipeline: PipelineRow },
  build: NewBuild,
  pipelineEnv: Record<string, string>,
): Promise<ConditionFacts> {
  const creator = await loadOrNull(context.load.user, build.creatorId);
  const author = build.author ?? (creator ? { name: creator.name, email: creator.email } : null);
  const { pullRequest } = build;
  return {
    values: {
      'build.state': 'creating',
      'build.source': build.source,
      'build.branch': build.branch,
      'build.tag': build.tag ?? null,
      'build.message': build.message,
      'build.commit': build.commit,
      'build.creator.id': creator?.id ?? null,
      'build.creator.name': creator?.name ?? null,
      'build.creator.email': creator?.email ?? null,
      'build.creator.teams': creator ? await teamSlugsOf(context, organization.id, creator.id) : null,
      'build.creator.verified': creator !== null,
      'build.author.name': author?.name ?? null,
      'build.author.email': author?.email ?? null,
      'build.pull_request.id': pullRequest?.id ?? null,
      'build.pull_request.base_branch': pullRequest?.baseBranch ?? null,
      'build.pull_request.draft': pullRequest?.draft ?? null,
      'build.pull_request.labels': pullRequest?.labels ?? null,
      'build.pull_request.repository': pullRequest?.repository ?? null,
      'build.pull_request.repository.fork': pullRequest?.repository ? pullRequest.repository !== pipeline.repository : null,
      'pipeline.id': pipeline.id,
      'pipeline.slug': pipeline.slug,
      'pipeline.name': pipeline.name,
      'pipeline.default_branch': pipeline.defaultBranch,
      'pipeline.repository': pipeline.repository,
      'organization.id': organization.id,
      'organization.slug': organization.slug,
      ...build.conditions,
    },
    buildEnv: Object.fromEntries(Object.entries(build.env).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)])),
    pipelineEnv,
  };
}
