import { type Expression, type ExpressionBuilder, type RawBuilder, sql, type SqlBool } from 'kysely';
import { z } from 'zod';
import { pipelineIsVisible } from '../../auth/authorize.js';
import type { Context } from '../../context.js';
import { limits } from '../../domain/limits.js';
import { idFromEither } from '../../domain/node-id.js';
import { slugFromName } from '../../domain/slug.js';
import type { Database, PipelineRow } from '../../entities/database.js';
import { organizationAddress } from '../address.js';
import { findOrganization } from '../find.js';
import { contains } from '../matching.js';
import { defineOperation } from '../operation.js';
import { defaultPaging, newestFirst, type Ordering, type Page, paginate, paging } from '../paging.js';
import type { OrganizationSubject } from '../subject.js';
import { teamIsVisible } from '../teams/visibility.js';
import { flag, oneOf, text } from '../text.js';

const filter = text(limits.filterLength).nullish();

const input = z.object({
  organization: organizationAddress,
  /** Part of the name, capitals aside. */
  name: filter,
  /** Part of the repository URL, capitals aside. */
  repository: filter,
  /** Part of the name, or of the slug once it is made one. */
  search: filter,
  /** Absent: archived and active ones. */
  archived: flag.nullish(),
  /** Uuid or node id. */
  clusterId: filter,
  /** False: only those in no cluster. */
  clustered: flag.nullish(),
  /** A team's slug; with a leading `!` those that team has no access to. */
  teamSlug: filter,
  /** Uuid of a member of the organization: those that member may see. */
  memberId: z.uuid().nullish(),
  /** Those with every one of these tags. */
  tags: z.array(text(limits.filterLength)).max(limits.filterValues).nullish(),
  favorite: flag.nullish(),
  createdAtFrom: z.date().nullish(),
  /** Not included. */
  createdAtTo: z.date().nullish(),
  order: oneOf(['recently_created', 'name', 'name_with_favorites_first', 'relevance']).default('recently_created'),
  paging: paging.default(defaultPaging),
});
type Given = z.output<typeof input>;

/** The pipelines of an organization that the caller may see. */
export const listPipelines = defineOperation({
  name: 'pipeline.list',
  summary: 'Lists the pipelines of an organization.',
  kind: 'query',
  scope: 'read_pipelines',
  access: 'member',
  input,
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (context, given, { organization }: OrganizationSubject): Promise<Page<PipelineRow>> => {
    const query = context.db
      .selectFrom(rankedPipelines(context, given))
      .innerJoin('organizations as o', 'o.id', 'p.organizationId')
      .selectAll('p')
      .where('p.organizationId', '=', organization.id)
      .where(pipelineIsVisible(context.actor))
      .where((eb) => eb.and(filters(eb, context, given)));
    return paginate<RankedPipeline>(context.db, query, ordering(given), given.paging);
  },
});

type RankedPipeline = PipelineRow & { rank?: string };

/** Pipelines, where the order needs it with a key to sort by: the name, behind what comes first (favorites, the exact match of a search). */
function rankedPipelines({ userId }: Context, { order, search }: Given) {
  const favorite = sql`exists (select 1 from pipeline_favorites f where f.pipeline_id = pipelines.id and f.user_id = ${userId}::uuid)`;
  const first = order === 'relevance' ? sql`lower(pipelines.name) = lower(${search ?? ''})` : favorite;
  const rank = sql<string>`(case when ${first} then '0' else '1' end) || pipelines.name`.as('rank');
  const ranked = order === 'relevance' || order === 'name_with_favorites_first';
  return (eb: ExpressionBuilder<Database, never>) => eb.selectFrom('pipelines').selectAll().$if(ranked, (query) => query.select(rank)).as('p');
}

function ordering({ order }: Given): Ordering<RankedPipeline> {
  if (order === 'recently_created') return newestFirst('p.id');
  if (order === 'name') return { column: 'p.name', id: 'p.id', direction: 'asc', key: (row) => row.name, type: 'text' };
  return { column: 'p.rank', id: 'p.id', direction: 'asc', key: (row) => row.rank ?? '', type: 'text' };
}

type Builder = ExpressionBuilder<Database & { p: Database['pipelines'] }, 'p'>;

function filters(eb: Builder, context: Context, given: Given): Expression<SqlBool>[] {
  const found: Expression<SqlBool>[] = [];
  if (given.name) found.push(contains('p.name', given.name));
  if (given.repository) found.push(contains('p.repository', given.repository));
  if (given.search) found.push(eb.or([contains('p.name', given.search), contains('p.slug', slugFromName(given.search) ?? given.search)]));
  if (given.archived != null) found.push(eb('p.archivedAt', given.archived ? 'is not' : 'is', null));
  if (given.clusterId) {
    const id = idFromEither(given.clusterId, ['Cluster']);
    found.push(id ? eb('p.clusterId', '=', id) : eb.lit(false));
  }
  if (given.clustered === false) found.push(eb('p.clusterId', 'is', null));
  if (given.tags && given.tags.length > 0) found.push(sql<SqlBool>`p.tags @> ${given.tags}::text[]`);
  if (given.createdAtFrom) found.push(eb('p.createdAt', '>=', given.createdAtFrom));
  if (given.createdAtTo) found.push(eb('p.createdAt', '<', given.createdAtTo));
  if (given.teamSlug) found.push(ofTeam(eb, context, given.teamSlug));
  if (given.memberId) found.push(visibleToMember(given.memberId));
  if (given.favorite != null) found.push(isFavorite(eb, context, given.favorite));
  return found;
}

function ofTeam(eb: Builder, { actor }: Context, selector: string): Expression<SqlBool> {
  const negated = selector.startsWith('!');
  const within = eb.exists(
    eb
      .selectFrom('team_pipelines as tp')
      .innerJoin('teams as t', 't.id', 'tp.teamId')
      .select('tp.id')
      .whereRef('tp.pipelineId', '=', 'p.id')
      .where('t.slug', '=', negated ? selector.slice(1) : selector)
      .where(teamIsVisible(actor)),
  );
  return negated ? eb.not(within) : within;
}

/** The rule of `pipelineIsVisible` about somebody else: a member of the organization. */
function visibleToMember(userId: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`exists (select 1 from organization_members om where om.organization_id = p.organization_id and om.user_id = ${userId}::uuid and (
    om.role = 'admin' or p.visibility = 'public'
    or exists (select 1 from organizations mo where mo.id = om.organization_id and not mo.teams_enabled)
    or exists (select 1 from team_pipelines tp join team_members tm on tm.team_id = tp.team_id where tp.pipeline_id = p.id and tm.user_id = om.user_id)))`;
}

function isFavorite(eb: Builder, { userId }: Context, wanted: boolean): Expression<SqlBool> {
  const mine = eb.exists(eb.selectFrom('pipeline_favorites as f').select('f.pipelineId').whereRef('f.pipelineId', '=', 'p.id').where('f.userId', '=', userId));
  return wanted ? mine : eb.not(mine);
}
