import { standing } from '../../auth/authorize.js';
import type { Context } from '../../context.js';
import { limits } from '../../domain/limits.js';
import { idFromEither } from '../../domain/node-id.js';
import { type FieldProblem, invalid, invalidField } from '../../domain/problem.js';
import type { OrganizationRow } from '../../entities/database.js';
import type { PipelineAccessLevel } from '../../entities/organizations/team-pipeline.js';

export interface TeamsInput {
  teams?: Record<string, PipelineAccessLevel> | null;
  teamUuids?: string[] | null;
}

/** A team's access to the new pipeline. */
export interface TeamAccess {
  teamId: string;
  accessLevel: PipelineAccessLevel;
}

/**
 * Returns the teams of a new pipeline. Without teams enabled, naming any is refused, since the restriction would not
 * hold. With them, administrators may name any or none; others must name teams that they belong to and may create
 * pipelines in, so that they can see the new pipeline. A team that the caller may not see does not exist.
 */
export async function teamsForCreation(
  context: Context,
  organization: OrganizationRow,
  input: TeamsInput,
): Promise<TeamAccess[]> {
  const { field, grants } = readTeams(input);
  if (grants.length > limits.teamsPerRequest)
    throw invalidField(field, `has more than ${limits.teamsPerRequest} teams`);
  if (!organization.teamsEnabled) {
    if (grants.length > 0) throw invalidField(field, 'Teams are not enabled for this organization');
    return [];
  }
  const role = standing(context.actor, organization.id);
  const unrestricted = role === 'admin' || role === 'system';
  if (grants.length === 0) {
    if (unrestricted) return [];
    throw invalidField('teams', 'missing');
  }
  const known = await teamsByIds(
    context,
    organization.id,
    grants.flatMap(({ id }) => (id === null ? [] : [id])),
  );
  const problems: FieldProblem[] = [];
  const accesses = new Map<string, PipelineAccessLevel>();
  for (const { id, path, level } of grants) {
    const team = id === null ? undefined : known.get(id);
    const missing = team ? null : 'does not exist';
    const problem = unrestricted ? missing : refusalForMember(team);
    if (problem !== null) problems.push({ field: path, code: problem });
    else if (team) accesses.set(team.id, level);
  }
  if (problems.length > 0) throw invalid(problems);
  return [...accesses].map(([teamId, accessLevel]) => ({ teamId, accessLevel }));
}

interface TeamGrant {
  id: string | null;
  /** The field to name in a refusal. */
  path: string;
  level: PipelineAccessLevel;
}

/** `teams` replaces the deprecated `team_uuids`, whose teams get full access. */
function readTeams({ teams, teamUuids }: TeamsInput): { field: string; grants: TeamGrant[] } {
  const read = (text: string) => idFromEither(text, ['Team']);
  if (teams && Object.keys(teams).length > 0) {
    return {
      field: 'teams',
      grants: Object.entries(teams).map(([text, level]) => ({ id: read(text), path: `teams.${text}`, level })),
    };
  }
  return {
    field: 'teamUuids',
    grants: (teamUuids ?? []).map((text, index) => ({
      id: read(text),
      path: `teamUuids.${index}`,
      level: 'manage_build_and_read',
    })),
  };
}

type KnownTeam = {
  id: string;
  privacy: 'visible' | 'secret';
  membersCanCreatePipelines: boolean;
  role: 'member' | 'maintainer' | null;
};

async function teamsByIds(context: Context, organizationId: string, ids: string[]): Promise<Map<string, KnownTeam>> {
  if (ids.length === 0) return new Map();
  const rows = await context.db
    .selectFrom('teams as t')
    .leftJoin('team_members as m', (join) => join.onRef('m.teamId', '=', 't.id').on('m.userId', '=', context.userId))
    .select(['t.id', 't.privacy', 't.membersCanCreatePipelines', 'm.role'])
    .where('t.organizationId', '=', organizationId)
    .where('t.id', 'in', ids)
    .orderBy('t.id')
    // None of them may be deleted before the pipeline is theirs.
    .forShare('t')
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

function refusalForMember(team: KnownTeam | undefined): string | null {
  if (!team || (team.privacy === 'secret' && team.role === null)) return 'does not exist';
  const allowed = team.role === 'maintainer' || (team.role === 'member' && team.membersCanCreatePipelines);
  return allowed ? null : 'is not a team you can create pipelines in';
}
