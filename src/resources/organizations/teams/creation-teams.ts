import type { Context } from '../../../request/context.js';
import { limits } from '../../../domain/limits/limits.js';
import { idFromEither } from '../../../domain/node-id.js';
import { type FieldProblem, invalid, invalidField } from '../../../domain/problem.js';
import type { OrganizationRow } from '../../../entities/database.js';
import { managesAllTeams } from './manage.js';

/** Right of a team's members to create something. */
type CreationRight = 'membersCanCreatePipelines' | 'membersCanCreateSuites';

const things: Readonly<Record<CreationRight, string>> = {
  membersCanCreatePipelines: 'pipelines',
  membersCanCreateSuites: 'test suites',
};

/** Teams that a request names for something new, by uuid or node id, each with the field to name in a refusal. */
export interface NamedTeams {
  field: string;
  teams: readonly { id: string; path: string }[];
}

/**
 * Returns the uuids of the teams that get what the caller creates, in their order. Without teams enabled, naming any is
 * refused, since the restriction would not hold. With them, administrators may name any; others those that they belong
 * to and may create such things in. A team that the caller may not see does not exist.
 */
export async function teamsForCreation(
  context: Context,
  organization: OrganizationRow,
  { field, teams }: NamedTeams,
  right: CreationRight,
): Promise<string[]> {
  if (teams.length > limits.teamsPerRequest) throw invalidField(field, `has more than ${limits.teamsPerRequest} teams`);
  if (teams.length === 0) return [];
  if (!organization.teamsEnabled) throw invalidField(field, 'Teams are not enabled for this organization');
  const uuids = teams.map(({ id }) => idFromEither(id, ['Team']));
  const known = await teamsByIds(
    context,
    organization.id,
    uuids.filter((id) => id !== null),
  );
  const refusalFor = managesAllTeams(context, organization.id) ? refusalForAdministrator : refusalForMember;
  const problems: FieldProblem[] = [];
  const ids: string[] = [];
  for (const [index, { path }] of teams.entries()) {
    const team = known.get(uuids[index] ?? '');
    const problem = refusalFor(team, right);
    if (problem !== null) problems.push({ field: path, code: problem });
    else if (team) ids.push(team.id);
  }
  if (problems.length > 0) throw invalid(problems);
  return ids;
}

type KnownTeam = Record<CreationRight, boolean> & {
  id: string;
  privacy: 'visible' | 'secret';
  role: 'member' | 'maintainer' | null;
};

async function teamsByIds(context: Context, organizationId: string, ids: string[]): Promise<Map<string, KnownTeam>> {
  if (ids.length === 0) return new Map();
  const rows = await context.db
    .selectFrom('teams as t')
    .leftJoin('team_members as m', (join) => join.onRef('m.teamId', '=', 't.id').on('m.userId', '=', context.userId))
    .select(['t.id', 't.privacy', 't.membersCanCreatePipelines', 't.membersCanCreateSuites', 'm.role'])
    .where('t.organizationId', '=', organizationId)
    .where('t.id', 'in', ids)
    .orderBy('t.id')
    // None of them may be deleted before what is created is theirs.
    .forShare('t')
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

function refusalForAdministrator(team: KnownTeam | undefined): string | null {
  return team ? null : 'does not exist';
}

function refusalForMember(team: KnownTeam | undefined, right: CreationRight): string | null {
  if (!team || (team.privacy === 'secret' && team.role === null)) return 'does not exist';
  const allowed = team.role === 'maintainer' || (team.role === 'member' && team[right]);
  return allowed ? null : `is not a team you can create ${things[right]} in`;
}
