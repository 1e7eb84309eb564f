import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import { z } from 'zod';
import { limits } from '../../../domain/limits/limits.js';
import { idFromEither } from '../../../domain/node-id.js';
import type { Database, TeamRow } from '../../../entities/database.js';
import { organizationAddress } from '../../../core/address.js';
import { findOrganization } from '../../../core/find.js';
import { contains } from '../../../core/matching.js';
import { defineOperation } from '../../../core/operation.js';
import { defaultPaging, newestFirst, type Ordering, type Page, paginate, paging } from '../../../core/paging.js';
import type { OrganizationSubject } from '../../../core/subject.js';
import { oneOf, text } from '../../../domain/input-text.js';
import { teamIsVisible } from '../../../core/team-visibility.js';

const byName: Ordering<TeamRow> = {
  column: 't.name',
  id: 't.id',
  direction: 'asc',
  key: (row) => row.name,
  type: 'text',
};
const filter = text(limits.filterLength).nullish();

/** Lists the teams of an organization that the caller may see. */
export const listTeams = defineOperation({
  name: 'team.list',
  summary: 'Lists the teams of an organization.',
  kind: 'query',
  scope: 'read_teams',
  access: 'member',
  refusal: 'sentence',
  input: z.object({
    organization: organizationAddress,
    /** Part of the name, case-insensitive. */
    search: filter,
    privacy: z.array(oneOf(['visible', 'secret'])).nullish(),
    /** Uuid or node id of a member; with a leading `!` teams without that user. */
    userId: filter,
    /** A pipeline's slug; with a leading `!` teams without access to it. */
    pipelineSlug: filter,
    order: oneOf(['name', 'recently_created', 'relevance']).default('name'),
    paging: paging.default(defaultPaging),
  }),
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (context, request, { organization }: OrganizationSubject): Promise<Page<TeamRow>> => {
    let query = context.db
      .selectFrom('teams as t')
      .selectAll('t')
      .where('t.organizationId', '=', organization.id)
      .where(teamIsVisible(context.actor));
    const { search, privacy, userId, pipelineSlug } = request;
    if (search) query = query.where(contains('t.name', search));
    if (privacy && privacy.length > 0) query = query.where('t.privacy', 'in', privacy);
    if (userId) query = query.where((eb) => hasMember(eb, userId));
    if (pipelineSlug) query = query.where((eb) => hasPipeline(eb, pipelineSlug));
    return paginate<TeamRow>(
      context.db,
      query,
      request.order === 'recently_created' ? newestFirst('t.id') : byName,
      request.paging,
    );
  },
});

type Builder = ExpressionBuilder<Database & { t: Database['teams'] }, 't'>;

function hasMember(eb: Builder, selector: string): Expression<SqlBool> {
  const id = idFromEither(selector.replace(/^!/, ''), ['User']);
  const within =
    id === null
      ? eb.lit(false)
      : eb.exists(
          eb
            .selectFrom('team_members as m')
            .select('m.id')
            .whereRef('m.teamId', '=', 't.id')
            .where('m.userId', '=', id),
        );
  return selector.startsWith('!') ? eb.not(within) : within;
}

function hasPipeline(eb: Builder, selector: string): Expression<SqlBool> {
  const within = eb.exists(
    eb
      .selectFrom('team_pipelines as tp')
      .innerJoin('pipelines as p', 'p.id', 'tp.pipelineId')
      .select('tp.id')
      .whereRef('tp.teamId', '=', 't.id')
      .where('p.slug', '=', selector.replace(/^!/, '')),
  );
  return selector.startsWith('!') ? eb.not(within) : within;
}
