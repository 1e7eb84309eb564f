import type { Context } from '../../context.js';
import { encodeNodeId } from '../../domain/node-id.js';
import type { JsonObject } from '../../domain/steps/step.js';
import { formatTime } from '../../domain/time.js';
import type { SuiteRow, SuiteRunRow } from '../../entities/database.js';
import { Urls } from './urls.js';
import { existing } from './values.js';

/** A test suite (rest-facts 3.8). Uploads are authenticated by the suite's token only, so there is no policy for others. */
export async function presentSuite(context: Context, suite: SuiteRow): Promise<JsonObject> {
  const organization = existing(await context.load.organization.load(suite.organizationId), 'an organization');
  const { api, web } = Urls.of(context).suite(organization, suite);
  return {
    id: suite.id,
    graphql_id: encodeNodeId('Suite', suite.id),
    organization_id: suite.organizationId,
    slug: suite.slug,
    name: suite.name,
    url: api,
    web_url: web,
    default_branch: suite.defaultBranch,
    application_name: suite.applicationName,
    color: suite.color,
    emoji: suite.emoji,
    oidc_policy: null,
  };
}

/** A run of a test suite (api-v2.md, Test run; `build_id` of rest-facts 2.6). Branch and commit are texts, empty where no upload named them. */
export async function presentRun(context: Context, run: SuiteRunRow): Promise<JsonObject> {
  const { api, web } = await placeRun(context, run);
  return {
    id: run.id,
    branch: run.branch ?? '',
    commit_sha: run.commitSha ?? '',
    state: run.state,
    result: run.result,
    url: api,
    web_url: web,
    build_id: run.buildId,
    created_at: formatTime(run.createdAt),
  };
}

async function placeRun(context: Context, { organizationId, suiteId, id }: Pick<SuiteRunRow, 'organizationId' | 'suiteId' | 'id'>) {
  const [organization, suite] = await Promise.all([context.load.organization.load(organizationId), context.load.suite.load(suiteId)]);
  return Urls.of(context).run(existing(organization, 'an organization'), existing(suite, 'a suite'), id);
}
