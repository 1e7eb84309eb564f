import type { Context } from '../../../request/context.js';
import type { BuildRow, OrganizationRow } from '../../../entities/database.js';
import { isId, readNumber } from '../../../core/address.js';
import type { RunEnv } from './run-env.js';

const buildPath = /^\/([^/?#]+)\/([^/?#]+)\/builds\/(\d+)/;

type NamedBuild = Pick<BuildRow, 'id' | 'branch' | 'commit'>;

/**
 * Finds the build of a suite run among the builds of its organization: by the run's key, which collectors in a job set
 * to the build's id, else by the URL of a build's page.
 */
export async function findBuildOfRun(
  context: Context,
  organization: OrganizationRow,
  { key, sourceUrl }: RunEnv,
): Promise<NamedBuild | null> {
  const query = context.db
    .selectFrom('builds as b')
    .select(['b.id', 'b.branch', 'b.commit'])
    .where('b.organizationId', '=', organization.id);
  const byId = isId(key) ? await query.where('b.id', '=', key).executeTakeFirst() : undefined;
  if (byId) return byId;
  const { baseUrl } = context.services;
  const [, slug, pipeline = '', number = ''] =
    (sourceUrl?.startsWith(`${baseUrl}/`) && buildPath.exec(sourceUrl.slice(baseUrl.length))) || [];
  const asNumber = readNumber(number);
  if (slug !== organization.slug || asNumber === null) return null;
  const byUrl = query
    .innerJoin('pipelines as p', 'p.id', 'b.pipelineId')
    .where('p.organizationId', '=', organization.id)
    .where('p.slug', '=', pipeline)
    .where('b.number', '=', asNumber);
  return (await byUrl.executeTakeFirst()) ?? null;
}
