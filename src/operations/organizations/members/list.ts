import { type RawBuilder, sql, type SqlBool } from 'kysely';
import { z } from 'zod';
import { limits } from '../../../domain/limits/limits.js';
import { ssoModes } from '../../../domain/organizations/sso-mode.js';
import type { Row } from '../../../entities/database.js';
import { organizationAddress } from '../../../core/address.js';
import { findOrganization } from '../../../core/find.js';
import { contains } from '../../../core/matching.js';
import { defineOperation } from '../../../core/operation.js';
import { defaultPaging, newestFirst, type Ordering, type Page, paginate, paging } from '../../../core/paging.js';
import type { OrganizationSubject } from '../../../core/subject.js';
import { flag, oneOf, text } from '../../../domain/input-text.js';

/** A membership with its sort key; the user is loaded through `context.load.user`. */
export type OrganizationMember = Row<'organization_members'> & { userName: string };

const byName: Ordering<OrganizationMember> = {
  column: 'u.name',
  id: 'm.id',
  direction: 'asc',
  key: (row) => row.userName,
  type: 'text',
};

const isInactive = (since: Date): RawBuilder<SqlBool> => sql<SqlBool>`
  not exists (select 1 from api_tokens t where t.user_id = u.id and t.last_used_at >= ${since})
  and not exists (select 1 from sessions s where s.user_id = u.id and s.last_used_at >= ${since})`;

/** Lists the members of an organization. `search`: part of a name or e-mail address; `email`: a whole address. */
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
    /** Only members who used no API token and no session since. */
    inactiveSince: z.date().nullish(),
    passwordProtected: flag.nullish(),
    /** No account has a second factor here: it belongs to the single sign-on provider. */
    twoFactorEnabled: flag.nullish(),
    ssoMode: oneOf(ssoModes).nullish(),
    /** Slug of a team, whose members are listed; with a leading `!`, all other members. */
    teamSlug: text(limits.filterLength).nullish(),
    order: oneOf(['recently_created', 'name', 'relevance']).default('recently_created'),
    paging: paging.default(defaultPaging),
  }),
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (context, request, { organization }: OrganizationSubject): Promise<Page<OrganizationMember>> => {
    let query = context.db
      .selectFrom('organization_members as m')
      .innerJoin('users as u', 'u.id', 'm.userId')
      .selectAll('m')
      .select('u.name as userName')
      .where('m.organizationId', '=', organization.id);
    const { search, email, role, teamSlug, inactiveSince, passwordProtected, twoFactorEnabled, ssoMode } = request;
    if (search) query = query.where((eb) => eb.or([contains('u.name', search), contains('u.email', search)]));
    if (email) query = query.where(sql`lower(u.email)`, '=', email.toLowerCase());
    if (role && role.length > 0) query = query.where('m.role', 'in', role);
    if (inactiveSince) query = query.where(isInactive(inactiveSince));
    if (passwordProtected != null) query = query.where('u.passwordHash', passwordProtected ? 'is not' : 'is', null);
    if (twoFactorEnabled) query = query.where(sql<SqlBool>`false`);
    if (ssoMode) query = query.where('m.ssoMode', '=', ssoMode);
    if (teamSlug) {
      query = query.where((eb) => {
        const within = eb.exists(
          eb
            .selectFrom('team_members as tm')
            .innerJoin('teams as t', 't.id', 'tm.teamId')
            .select('tm.id')
            .whereRef('tm.userId', '=', 'm.userId')
            .whereRef('t.organizationId', '=', 'm.organizationId')
            .where('t.slug', '=', teamSlug.replace(/^!/, '')),
        );
        return teamSlug.startsWith('!') ? eb.not(within) : within;
      });
    }
    return paginate<OrganizationMember>(
      context.db,
      query,
      request.order === 'recently_created' ? newestFirst('m.id') : byName,
      request.paging,
    );
  },
});
