import { sql } from 'kysely';
import { standing } from '../../auth/authorize.js';
import type { Context } from '../../request/context.js';
import { isId, type PipelineAddress } from '../../core/address.js';
import { findPipeline, visiblePipeline } from '../../core/find.js';
import type { PipelineSubject } from '../../core/subject.js';
import { compiled } from '../../database/compiled.js';
import { rowAsColumns } from '../../database/row-conversion.js';
import { giveFacts, newBuildFactColumns, type NewBuildFacts } from '../../engine/new-builds/build-facts.js';
import type { OrganizationRow, PipelineRow } from '../../entities/database.js';

type Found = NewBuildFacts & { pipeline: PipelineRow; organization: OrganizationRow };

const columnsWithFacts = sql`${rowAsColumns('pipelines', 'p', 'pipeline')}, ${rowAsColumns('organizations', 'o', 'organization')},
  ${newBuildFactColumns(sql`o.id`, sql`p.cluster_id`)}`;

const bySlugs = compiled<{ organization: string; slug: string; userId: string }, Found>(
  'pipeline-to-build.by-slugs',
  (_db, { organization, slug, userId }) => sql`
    select ${columnsWithFacts} from organizations o join pipelines p on p.organization_id = o.id join users u on
      u.id = ${userId}
    where o.slug = ${organization} and p.slug = ${slug}`,
);

const byId = compiled<{ id: string; userId: string }, Found>(
  'pipeline-to-build.by-id',
  (_db, { id, userId }) => sql`
    select ${columnsWithFacts} from pipelines p join organizations o on o.id = p.organization_id join users u on
      u.id = ${userId}
    where p.id = ${id}`,
);

/**
 * Finds a pipeline that the caller may see, as `findPipeline` does, with one statement that reads what a build by the
 * caller needs besides.
 */
export async function findPipelineToBuild(context: Context, address: PipelineAddress): Promise<PipelineSubject | null> {
  const { userId } = context;
  if (userId === null || ('id' in address && !isId(address.id))) return findPipeline(context, address);
  const [row] = await ('id' in address
    ? byId(context.db, { id: address.id, userId })
    : bySlugs(context.db, { organization: address.organization, slug: address.slug, userId }));
  if (!row || standing(context.actor, row.organization.id) === null) return null;
  giveFacts(context.load, row.pipeline, row);
  return visiblePipeline(context, row.pipeline, row.organization);
}
