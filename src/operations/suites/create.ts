import { z } from 'zod';
import { invalidField } from '../../domain/problem.js';
import { slugFromName } from '../../domain/slug.js';
import { organizationAddress } from '../../core/address.js';
import { findOrganization } from '../../core/find.js';
import { defineOperation } from '../../core/operation.js';
import type { OrganizationSubject } from '../../core/subject.js';
import type { Context } from '../../request/context.js';
import { orMissing, text } from '../../domain/input-text.js';
import type { SuiteRow } from '../../entities/database.js';
import type { SuiteAccess } from '../../entities/organizations/team-suite.js';
import { teamsForCreation } from '../../resources/organizations/teams/creation-teams.js';
import { suiteBranch, suiteFields, suiteName } from '../../resources/suites/fields.js';
import { recordSuite } from '../../resources/suites/record.js';
import type { ShownSuite } from '../../resources/suites/shown-suite.js';
import { newSuiteToken, shownToken } from '../../resources/suites/token.js';

/**
 * Creates a suite with an upload token. Its slug is derived from the name and must be free. The teams that the request
 * names may read and edit it.
 */
export const createSuite = defineOperation({
  name: 'suite.create',
  summary: 'Creates a test suite.',
  kind: 'command',
  scope: 'write_suites',
  access: 'member',
  refusal: 'sentence',
  input: z.object({
    organization: organizationAddress,
    name: suiteName,
    defaultBranch: suiteBranch,
    /** Uuids or node ids. */
    teamIds: z.array(text(300), { error: orMissing('must be a list of team ids') }).nullish(),
    ...suiteFields,
  }),
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (context, request, { organization }: OrganizationSubject): Promise<ShownSuite> => {
    const teams = (request.teamIds ?? []).map((id, index) => ({ id, path: `teamIds.${index}` }));
    const teamIds = await teamsForCreation(
      context,
      organization,
      { field: 'teamIds', teams },
      'membersCanCreateSuites',
    );
    const slug = slugFromName(request.name);
    if (slug === null) throw invalidField('name', 'has no letter or digit to make a slug from');
    const suite = await context.db
      .insertInto('suites')
      .values({
        id: context.newId(),
        organizationId: organization.id,
        slug,
        name: request.name,
        defaultBranch: request.defaultBranch,
        applicationName: request.applicationName ?? null,
        color: request.color ?? null,
        emoji: request.emoji ?? null,
        ...newSuiteToken(context),
        createdById: context.userId,
        createdAt: context.now,
      })
      .onConflict((conflict) => conflict.columns(['organizationId', 'slug']).doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!suite) throw invalidField('name', 'has already been taken');
    await insertTeams(context, suite, teamIds);
    recordSuite(context, suite, { type: 'suite.create', data: { slug, name: suite.name } });
    return {
      organization,
      suite,
      apiToken: request.showApiToken ? shownToken(context, { suite, editable: true }) : null,
    };
  },
});

async function insertTeams(context: Context, suite: SuiteRow, teamIds: readonly string[]): Promise<void> {
  if (teamIds.length === 0) return;
  const values = [...new Set(teamIds)].map((teamId) => ({
    id: context.newId(),
    organizationId: suite.organizationId,
    suiteId: suite.id,
    teamId,
    accessLevel: ['read', 'edit'] as SuiteAccess[],
    createdById: context.userId,
    createdAt: context.now,
  }));
  await context.db.insertInto('team_suites').values(values).execute();
}
