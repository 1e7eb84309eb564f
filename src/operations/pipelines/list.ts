import { type Expression, type ExpressionBuilder, type RawBuilder, sql, type SqlBool } from 'kysely';
import { z } from 'zod';
import { pipelineIsVisible } from '../../auth/authorize.js';
import type { Context } from '../../request/context.js';
import { withVersion } from '../../database/row-version.js';
import { limits } from '../../domain/limits/limits.js';
import { idFromEither } from '../../domain/node-id.js';
import { slugFromName } from '../../domain/slug.js';
import type { Database, ShownPipelineRow } from '../../entities/database.js';
import { shownColumns } from '../../entities/shown-columns.js';
import { organizationAddress } from '../../core/address.js';
import { findOrganization } from '../../core/find.js';
import { contains } from '../../core/matching.js';
import { defineOperation } from '../../core/operation.js';
import { defaultPaging, newestFirst, type Ordering, type Page, paginate, paging } from '../../core/paging.js';
import type { OrganizationSubject } from '../../core/subject.js';
import { teamIsVisible } from '../../core/team-visibility.js';
import { flag, oneOf, text } from '../../domain/input-text.js';

const filter = text(limits.filterLength).nullish();

const input = z.object({
  organization: organizationAddress,
  /** Part of the name, case-insensitive. */
  name: filter,
  /** Part of the repository URL, case-insensitive. */
  repository: filter,
  /** Part of the name, or of the slug in its slug form. */
  search: filter,
  /** Absent: archived and active pipelines. */
  archived: flag.nullish(),
  /** Uuid or node id. */
  clusterId: filter,
  /** False: only pipelines without a cluster. */
  clustered: flag.nullish(),
  /** A team's slug; with a leading `!` pipelines that the team has no access to. */
  teamSlug: filter,
  /** Uuid of a member of the organization: only pipelines that this member may see. */
  memberId: z.uuid().nullish(),
  /** Only pipelines with all of these tags. */
  tags: z.array(text(limits.filterLength)).max(limits.filterValues).nullish(),
  favorite: flag.nullish(),
  createdAtFrom: z.date().nullish(),
  /** Not included. */
  createdAtTo: z.date().nullish(),
  order: oneOf(['recently_created', 'name', 'name_with_favorites_first', 'relevance']).default('recently_created'),
  paging: paging.default(defaultPaging),
});
type Input = z.output<typeof input>;

/** Lists the pipelines of an organization that the caller may see. */
export const listPipelines = defineOperation({
  name: 'pipeline.list',
  summary: 'Lists the pipelines of an organization.',
  kind: 'query',
  scope: 'read_pipelines',
  access: 'member',
  input,
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (context, request, { organization }: OrganizationSubject): Promise<Page<ShownPipelineRow>> => {
    const query = context.db
      .selectFrom(rankedPipelines(context, request))
      .innerJoin('organizations as o', 'o.id', 'p.organizationId')
      .select(shownColumns('pipelines', 'p'))
      .select(sql`p.row_version`.as('rowVersion'))
      .$if(isRanked(request), (ranked) => ranked.select(sql<string>`p.rank`.as('rank')))
      .where('p.organizationId', '=', organization.id)
      .where(pipelineIsVisible(context.actor))
      .where((eb) => eb.and(filters(eb, context, request)));
    return paginate<RankedPipeline>(context.db, query, ordering(request), request.paging);
  },
});

const isRanked = ({ order }: Input) => order === 'relevance' || order === 'name_with_favorites_first';

type RankedPipeline = ShownPipelineRow & { rank?: string };

/**
 * A pipeline with its sort key, where the order needs one: the name, preceded by a rank (favorites, exact matches of a
 * search).
 */
function rankedPipelines({ userId }: Context, request: Input) {
  const { order, search } = request;
  const favorite = sql`exists (select 1 from pipeline_favorites f where f.pipeline_id = pipelines.id and f.user_id
    = ${userId}::uuid)`;
  const first = order === 'relevance' ? sql`lower(pipelines.name) = lower(${search ?? ''})` : favorite;
  const rank = sql<string>`(case when ${first} then '0' else '1' end) || pipelines.name`.as('rank');
  return (eb: ExpressionBuilder<Database, never>) =>
    withVersion(eb.selectFrom('pipelines').selectAll(), 'pipelines')
      .$if(isRanked(request), (query) => query.select(rank))
      .as('p');
}

function ordering({ order }: Input): Ordering<RankedPipeline> {
  if (order === 'recently_created') return newestFirst('p.id');
  if (order === 'name') return { column: 'p.name', id: 'p.id', direction: 'asc', key: (row) => row.name, type: 'text' };
  return { column: 'p.rank', id: 'p.id', direction: 'asc', key: (row) => row.rank ?? '', type: 'text' };
}

type Builder = ExpressionBuilder<Database & { p: Database['pipelines'] }, 'p'>;

function filters(eb: Builder, context: Context, request: Input): Expression<SqlBool>[] {
  const conditions: Expression<SqlBool>[] = [];
  if (request.name) conditions.push(contains('p.name', request.name));
  if (request.repository) conditions.push(contains('p.repository', request.repository));
  if (request.search)
    conditions.push(
      eb.or([contains('p.name', request.search), contains('p.slug', slugFromName(request.search) ?? request.search)]),
    );
  if (request.archived != null) conditions.push(eb('p.archivedAt', request.archived ? 'is not' : 'is', null));
  if (request.clusterId) {
    const id = idFromEither(request.clusterId, ['Cluster']);
    conditions.push(id ? eb('p.clusterId', '=', id) : eb.lit(false));
  }
  if (request.clustered === false) conditions.push(eb('p.clusterId', 'is', null));
  if (request.tags && request.tags.length > 0) conditions.push(sql<SqlBool>`p.tags @> ${request.tags}::text[]`);
  if (request.createdAtFrom) conditions.push(eb('p.createdAt', '>=', request.createdAtFrom));
  if (request.createdAtTo) conditions.push(eb('p.createdAt', '<', request.createdAtTo));
  if (request.teamSlug) conditions.push(ofTeam(eb, context, request.teamSlug));
  if (request.memberId) conditions.push(visibleToMember(request.memberId));
  if (request.favorite != null) conditions.push(isFavorite(eb, context, request.favorite));
  return conditions;
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

/** The condition of `pipelineIsVisible` for another member of the organization. */
function visibleToMember(userId: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`exists (select 1 from organization_members om where om.organization_id = p.organization_id
    and om.user_id = ${userId}::uuid and (
    om.role = 'admin' or p.visibility = 'public'
    or exists (select 1 from organizations mo where mo.id = om.organization_id and not mo.teams_enabled)
    or exists (select 1 from team_pipelines tp join team_members tm on tm.team_id = tp.team_id where
      tp.pipeline_id = p.id and tm.user_id = om.user_id)))`;
}

function isFavorite(eb: Builder, { userId }: Context, value: boolean): Expression<SqlBool> {
  const mine = eb.exists(
    eb
      .selectFrom('pipeline_favorites as f')
      .select('f.pipelineId')
      .whereRef('f.pipelineId', '=', 'p.id')
      .where('f.userId', '=', userId),
  );
  return value ? mine : eb.not(mine);
}
