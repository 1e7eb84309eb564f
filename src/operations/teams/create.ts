import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../context.js';
import { limits } from '../../domain/limits.js';
import { invalidField } from '../../domain/problem.js';
import { slugFromName } from '../../domain/slug.js';
import type { NewRow } from '../../entities/database.js';
import { organizationAddress } from '../address.js';
import { findOrganization } from '../find.js';
import { defineOperation } from '../operation.js';
import type { OrganizationSubject } from '../subject.js';
import { teamColumns, teamFields, teamName } from './fields.js';
import type { TeamSubject } from './find-team.js';
import { recordTeam } from './record.js';

/**
 * Makes a team without members (rest-facts 3.5). Refuses a name whose slug another team of the organization has, and
 * one team more than an organization may hold.
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
  run: async (context, given, { organization }: OrganizationSubject): Promise<TeamSubject> => {
    const slug = slugFromName(given.name);
    if (slug === null) throw invalidField('name', 'has no character that a slug can be made of');
    await refuseMore(context, organization.id);
    const team = await context.db
      .insertInto('teams')
      .values({
        id: context.newId(),
        organizationId: organization.id,
        slug,
        name: given.name,
        ...(teamColumns(given, { complete: true }) as Partial<NewRow<'teams'>>),
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

/** Counts under a lock on the organization: two requests cannot both be the last one. */
async function refuseMore({ db }: Context, organizationId: string): Promise<void> {
  await db.selectFrom('organizations').select('id').where('id', '=', organizationId).forNoKeyUpdate().execute();
  const { count } = await db.selectFrom('teams').select(sql<number>`count(*)::int`.as('count')).where('organizationId', '=', organizationId).executeTakeFirstOrThrow();
  if (count >= limits.teamsPerOrganization) throw invalidField('', `An organization has at most ${limits.teamsPerOrganization} teams`);
}
