import { z } from 'zod';
import type { Context } from '../../../request/context.js';
import type { OrganizationRow } from '../../../entities/database.js';
import { organizationAddress } from '../../../core/address.js';
import { findOrganization } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import type { OrganizationSubject } from '../../../core/subject.js';
import { recordTeam } from '../../../resources/organizations/teams/record.js';

/**
 * Enables teams, which then decide who may see a pipeline. The first time it creates a team of all members, which new
 * members join. Repeating it changes nothing. Returns the organization.
 */
export const enableTeams = defineOperation({
  name: 'team.enable',
  summary: 'Enables teams for an organization.',
  kind: 'command',
  scope: 'write_teams',
  access: 'admin',
  refusal: 'sentence',
  input: z.object({ organization: organizationAddress }),
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (context, _input, { organization }: OrganizationSubject): Promise<OrganizationSubject> => {
    const enabled = await context.db
      .updateTable('organizations')
      .set({ teamsEnabled: true })
      .where('id', '=', organization.id)
      .where('teamsEnabled', '=', false)
      .returningAll()
      .executeTakeFirst();
    if (!enabled) return { organization: { ...organization, teamsEnabled: true } };
    context.record({
      organizationId: organization.id,
      subject: 'organization',
      subjectId: organization.id,
      type: 'team.enable',
    });
    const team = await context.db
      .selectFrom('teams')
      .select('id')
      .where('organizationId', '=', organization.id)
      .limit(1)
      .executeTakeFirst();
    if (!team) await createEveryone(context, enabled);
    return { organization: enabled };
  },
});

const rowsPerStatement = 1_000;

async function createEveryone(context: Context, { id: organizationId }: OrganizationRow): Promise<void> {
  const common = { organizationId, createdById: context.userId, createdAt: context.now };
  const team = await context.db
    .insertInto('teams')
    .values({ ...common, id: context.newId(), slug: 'everyone', name: 'Everyone', isDefault: true })
    .returningAll()
    .executeTakeFirstOrThrow();
  const members = await context.db
    .selectFrom('organization_members')
    .select('userId')
    .where('organizationId', '=', organizationId)
    .orderBy('id')
    .forKeyShare()
    .execute();
  const rows = members.map(({ userId }) => ({
    ...common,
    id: context.newId(),
    teamId: team.id,
    userId,
    role: team.defaultMemberRole,
  }));
  for (let start = 0; start < rows.length; start += rowsPerStatement) {
    await context.db
      .insertInto('team_members')
      .values(rows.slice(start, start + rowsPerStatement))
      .execute();
  }
  recordTeam(context, team, 'team.create', { slug: team.slug, name: team.name, members: rows.length });
}
