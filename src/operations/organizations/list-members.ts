import { sql } from 'kysely';
import { z } from 'zod';
import { limits } from '../../domain/limits.js';
import type { Row } from '../../entities/database.js';
import { organizationAddress } from '../address.js';
import { findOrganization } from '../find.js';
import { contains } from '../matching.js';
import { defineOperation } from '../operation.js';
import { defaultPaging, newestFirst, type Ordering, type Page, paginate, paging } from '../paging.js';
import type { OrganizationSubject } from '../subject.js';
import { oneOf, text } from '../text.js';

/** A membership with the name it is ordered by; the user comes through `context.load.user`. */
export type OrganizationMember = Row<'organization_members'> & { userName: string };

const byName: Ordering<OrganizationMember> = { column: 'u.name', id: 'm.id', direction: 'asc', key: (row) => row.userName, type: 'text' };

/** The members of an organization: `search` is part of a name or e-mail address, `email` a whole address. */
export const listOrganizationMembers = defineOperation({
  name: 'organization-member.list',
  summary: 'Lists the members of an organization.',
  kind: 'query',
  scope: 'read_organizations',
  access: 'member',
  refusal: 'sentence',
  input: z.object({
    organization: organizationAddress,
    search: text(limits.filterLength).nullish(),
    email: text(limits.filterLength).nullish(),
    role: z.array(oneOf(['admin', 'member'])).nullish(),
    /** A team's slug; with a leading `!` those who are not in it. */
    teamSlug: text(limits.filterLength).nullish(),
    order: oneOf(['recently_created', 'name', 'relevance']).default('recently_created'),
    paging: paging.default(defaultPaging),
  }),
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (context, given, { organization }: OrganizationSubject): Promise<Page<OrganizationMember>> => {
    let query = context.db
      .selectFrom('organization_members as m')
      .innerJoin('users as u', 'u.id', 'm.userId')
      .selectAll('m')
      .select('u.name as userName')
      .where('m.organizationId', '=', organization.id);
    const { search, email, role, teamSlug } = given;
    if (search) query = query.where((eb) => eb.or([contains('u.name', search), contains('u.email', search)]));
    if (email) query = query.where(sql`lower(u.email)`, '=', email.toLowerCase());
    if (role && role.length > 0) query = query.where('m.role', 'in', role);
    if (teamSlug) {
      query = query.where((eb) => {
        const within = eb.exists(
          eb.selectFrom('team_members as tm').innerJoin('teams as t', 't.id', 'tm.teamId').select('tm.id').whereRef('tm.userId', '=', 'm.userId').whereRef('t.organizationId', '=', 'm.organizationId').where('t.slug', '=', teamSlug.replace(/^!/, '')),
        );
        return teamSlug.startsWith('!') ? eb.not(within) : within;
      });
    }
    return paginate<OrganizationMember>(context.db, query, given.order === 'recently_created' ? newestFirst('m.id') : byName, given.paging);
  },
});
