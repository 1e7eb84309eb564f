import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../request/context.js';
import { limits } from '../../../domain/limits/limits.js';
import { invalidField } from '../../../domain/problem.js';
import { slugFromName } from '../../../domain/slug.js';
import type { NewRow } from '../../../entities/database.js';
import { organizationAddress } from '../../../core/address.js';
import { findOrganization } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import type { OrganizationSubject } from '../../../core/subject.js';
import { teamColumns, teamFields, teamName } from '../../../resources/organizations/teams/fields.js';
import type { TeamSubject } from '../../../core/find-team.js';
import { recordTeam } from '../../../resources/organizations/teams/record.js';

/**
 * Creates a team without members. Refuses a name whose slug is taken in the organization, and a team beyond the
 * organization's limit.
 */
export const createTeam = defineOperation({
  name: 'team.create',
  summary: 'Creates a team.',
  kind: 'command',
  scope: 'write_teams',
  access: 'admin',
  refusal: 'sentence',
  input: z.object({ organization: organizationAddress, name: teamName, ...teamFields }),
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (context, request, { organization }: OrganizationSubject): Promise<TeamSubject> => {
    const slug = slugFromName(request.name);
    if (slug === null) throw invalidField('name', 'has no character that a slug can be made of');
    await refuseMore(context, organization.id);
    const team = await context.db
      .insertInto('teams')
      .values({
        id: context.newId(),
        organizationId: organization.id,
        slug,
        name: request.name,
        ...(teamColumns(request, { complete: true }) as Partial<NewRow<'teams'>>),
        createdById: context.userId,
        createdAt: context.now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!team) throw invalidField('name', 'has already been taken');
    recordTeam(context, team, 'team.create', { slug, name: team.name });
    return { organization, team };
  },
});

/**
 * Throws at the limit; counts under a lock on the organization so that two concurrent requests cannot both take the
 * last place.
 */
async function refuseMore({ db }: Context, organizationId: string): Promise<void> {
  await db.selectFrom('organizations').select('id').where('id', '=', organizationId).forNoKeyUpdate().execute();
  const { count } = await db
    .selectFrom('teams')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('organizationId', '=', organizationId)
    .executeTakeFirstOrThrow();
  if (count >= limits.teamsPerOrganization)
    throw invalidField('', `An organization has at most ${limits.teamsPerOrganization} teams`);
}
