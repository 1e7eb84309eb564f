import type { Context } from '../../request/context.js';
import { invalidField } from '../../domain/problem.js';
import type { OrganizationRow } from '../../entities/database.js';
import type { PipelineAccessLevel } from '../../entities/organizations/team-pipeline.js';
import { type NamedTeams, teamsForCreation } from '../organizations/teams/creation-teams.js';
import { managesAllTeams } from '../organizations/teams/manage.js';

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
 * Returns the teams of a new pipeline. With teams enabled, a caller who is no administrator must name some, so that
 * they can see the new pipeline.
 */
export async function pipelineTeams(
  context: Context,
  organization: OrganizationRow,
  input: TeamsInput,
): Promise<TeamAccess[]> {
  const { levels, ...named } = readTeams(input);
  const restricted = organization.teamsEnabled && !managesAllTeams(context, organization.id);
  if (restricted && named.teams.length === 0) throw invalidField('teams', 'missing');
  const ids = await teamsForCreation(context, organization, named, 'membersCanCreatePipelines');
  const accesses = new Map(ids.map((id, index) => [id, levels[index] ?? 'read_only']));
  return [...accesses].map(([teamId, accessLevel]) => ({ teamId, accessLevel }));
}

/** `teams` replaces the deprecated `team_uuids`, whose teams get full access. */
function readTeams({ teams, teamUuids }: TeamsInput): NamedTeams & { levels: PipelineAccessLevel[] } {
  if (teams && Object.keys(teams).length > 0) {
    return {
      field: 'teams',
      teams: Object.keys(teams).map((id) => ({ id, path: `teams.${id}` })),
      levels: Object.values(teams),
    };
  }
  const ids = teamUuids ?? [];
  return {
    field: 'teamUuids',
    teams: ids.map((id, index) => ({ id, path: `teamUuids.${index}` })),
    levels: ids.map(() => 'manage_build_and_read'),
  };
}
