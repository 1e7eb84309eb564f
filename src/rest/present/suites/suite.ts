import type { Context } from '../../../request/context.js';
import { encodeNodeId } from '../../../domain/node-id.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import { formatTime } from '../../../domain/time.js';
import type { SuiteRow, SuiteRunRow } from '../../../entities/database.js';
import { loadOrNull } from '../../../loaders/batch-loader.js';
import { enumOf, nullable, text, time, url, uuid } from '../../openapi/schema.js';
import { field, optionalField, resource } from '../fields.js';
import { type Links, Urls } from '../urls.js';
import { existing } from '../values.js';

interface SuiteSource {
  suite: SuiteRow;
  links: Links;
  /** Null for callers who may not see the token; undefined in replies without it. */
  apiToken: string | null | undefined;
}

export const suiteResource = resource<SuiteSource>({
  id: field(uuid, 'ID of the suite.', ({ suite }) => suite.id),
  graphql_id: field(text, 'ID of the suite in the GraphQL API.', ({ suite }) => encodeNodeId('Suite', suite.id)),
  organization_id: field(uuid, 'ID of the organization.', ({ suite }) => suite.organizationId),
  slug: field(text, 'Slug of the suite, unique in its organization.', ({ suite }) => suite.slug),
  name: field(text, 'Name of the suite.', ({ suite }) => suite.name),
  url: field(url, 'API URL of the suite.', ({ links }) => links.api),
  web_url: field(url, 'URL of the page of the suite.', ({ links }) => links.web),
  default_branch: field(text, 'Default branch of the suite; stored only.', ({ suite }) => suite.defaultBranch),
  application_name: field(
    nullable(text),
    'Name of the application that the suite tests.',
    ({ suite }) => suite.applicationName,
  ),
  color: field(nullable(text), 'Color of the suite as a hexadecimal code.', ({ suite }) => suite.color),
  emoji: field(nullable(text), 'Emoji of the suite, such as `:rocket:`.', ({ suite }) => suite.emoji),
  oidc_policy: field(
    nullable(text),
    'Always null: uploads are authenticated by the API token of the suite only.',
    () => null,
  ),
  api_token: optionalField(
    nullable(text),
    'API token for uploads of test results; present with `show_api_token`.',
    ({ apiToken }) => apiToken,
  ),
});

export function presentSuite(context: Context, suite: SuiteRow): Promise<JsonObject> {
  return presentSuiteWithToken(context, { suite, apiToken: undefined });
}

/** Presents a suite with its token for uploads, unless that is undefined. */
export async function presentSuiteWithToken(
  context: Context,
  { suite, apiToken }: Pick<SuiteSource, 'suite' | 'apiToken'>,
): Promise<JsonObject> {
  const organization = existing(await context.load.organization.load(suite.organizationId), 'an organization');
  return suiteResource.present({ suite, links: Urls.of(context).suite(organization, suite), apiToken });
}

interface RunSource {
  context: Context;
  run: SuiteRunRow;
  links: Links;
}

/** A run of a test suite. */
export const suiteRunResource = resource<RunSource>({
  id: field(uuid, 'ID of the run.', ({ run }) => run.id),
  branch: field(text, 'Branch that was tested; empty if no upload named it.', ({ run }) => run.branch ?? ''),
  commit_sha: field(text, 'Commit that was tested; empty if no upload named it.', ({ run }) => run.commitSha ?? ''),
  state: field(enumOf('running', 'finished'), 'Whether the run still takes results.', ({ run }) => run.state),
  result: field(enumOf('pending', 'passed', 'failed', 'stale'), 'Result of the run.', ({ run }) => run.result),
  url: field(url, 'API URL of the run.', ({ links }) => links.api),
  web_url: field(url, 'URL of the page of the run.', ({ links }) => links.web),
  build_id: field(
    nullable(uuid),
    'ID of the build that the run belongs to; null without one, and for callers who may not see it.',
    async ({ context, run }) => (await loadOrNull(context.references.build, run.buildId))?.id ?? null,
  ),
  created_at: field(time, 'Time the run was created.', ({ run }) => formatTime(run.createdAt)),
});

export async function presentRun(context: Context, run: SuiteRunRow): Promise<JsonObject> {
  const [organization, suite] = await Promise.all([
    context.load.organization.load(run.organizationId),
    context.load.suite.load(run.suiteId),
  ]);
  const links = Urls.of(context).run(existing(organization, 'an organization'), existing(suite, 'a suite'), run.id);
  return suiteRunResource.present({ context, run, links });
}
