import type { Context } from '../../../request/context.js';
import { requireUser } from './apply-users.js';
import type { Ledger } from './ledger.js';
import type { PlannedTeam } from './plan.js';
import { reconcile } from './reconcile.js';
import type { Within } from './within.js';

interface WithinTeam {
  organizationId: string;
  organization: string;
  teamId: string;
  name: string;
  path: string;
}

/** Applies the planned teams of an organization, with their members and pipelines. */
export async function applyTeams(
  context: Context,
  ledger: Ledger,
  within: Within,
  teams: PlannedTeam[],
): Promise<void> {
  const { organizationId } = within;
  for (const [index, team] of teams.entries()) {
    const path = `${within.path}.teams.${index}`;
    const name = `${within.slug}/${team.slug}`;
    const existing = await context.db
      .selectFrom('teams')
      .selectAll()
      .where('organizationId', '=', organizationId)
      .where('slug', '=', team.slug)
      .executeTakeFirst();
    const teamId = await reconcile(context, ledger, {
      table: 'teams',
      kind: 'team',
      name,
      path,
      id: team.id,
      organizationId,
      existing,
      identity: { organizationId, slug: team.slug },
      values: { name: team.name },
    });
    if (!teamId) continue;
    const inTeam = { organizationId, organization: within.slug, teamId, name, path };
    await applyMembers(context, ledger, inTeam, team.members);
    await applyPipelines(context, ledger, inTeam, team.pipelines);
  }
}

async function applyMembers(
  context: Context,
  ledger: Ledger,
  { organizationId, organization, teamId, name, path }: WithinTeam,
  members: PlannedTeam['members'],
): Promise<void> {
  for (const [index, { user, role }] of members.entries()) {
    const at = `${path}.members.${index}`;
    const userId = await requireUser(context, ledger, user, `${at}.user`);
    if (!userId) continue;
    const member = await context.db
      .selectFrom('organization_members')
      .select('id')
      .where('organizationId', '=', organizationId)
      .where('userId', '=', userId)
      .executeTakeFirst();
    if (!member) {
      ledger.refuse(`${at}.user`, `${user} is not a member of organization ${organization}`);
      continue;
    }
    const existing = await context.db
      .selectFrom('team_members')
      .selectAll()
      .where('teamId', '=', teamId)
      .where('userId', '=', userId)
      .executeTakeFirst();
    await reconcile(context, ledger, {
      table: 'team_members',
      kind: 'team member',
      name: `${name}/${user}`,
      path: at,
      organizationId,
      existing,
      identity: { organizationId, teamId, userId },
      values: { role },
    });
  }
}

async function applyPipelines(
  context: Context,
  ledger: Ledger,
  { organizationId, organization, teamId, name, path }: WithinTeam,
  pipelines: PlannedTeam['pipelines'],
): Promise<void> {
  for (const [index, { slug, accessLevel }] of pipelines.entries()) {
    const at = `${path}.pipelines.${index}`;
    const pipeline = await context.db
      .selectFrom('pipelines')
      .select('id')
      .where('organizationId', '=', organizationId)
      .where('slug', '=', slug)
      .executeTakeFirst();
    if (!pipeline) {
      ledger.refuse(`${at}.slug`, `there is no pipeline ${slug} in organization ${organization}`);
      continue;
    }
    const pipelineId = pipeline.id;
    const existing = await context.db
      .selectFrom('team_pipelines')
      .selectAll()
      .where('teamId', '=', teamId)
      .where('pipelineId', '=', pipelineId)
      .executeTakeFirst();
    await reconcile(context, ledger, {
      table: 'team_pipelines',
      kind: 'team pipeline',
      name: `${name}/${slug}`,
      path: at,
      organizationId,
      existing,
      identity: { organizationId, teamId, pipelineId },
      values: { accessLevel },
    });
  }
}
