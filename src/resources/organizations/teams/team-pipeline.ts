import { levelAllows } from '../../../auth/authorize.js';
import type { Context } from '../../../request/context.js';
import { forbidden } from '../../../domain/problem.js';
import type { Row, TeamRow } from '../../../entities/database.js';
import type { PipelineAccessLevel } from '../../../entities/organizations/team-pipeline.js';
import { findPipeline } from '../../../core/find.js';
import type { PipelineSubject } from '../../../core/subject.js';
import { findLink, type LinkAddress } from './find-team-link.js';
import { managesAllTeams, managesTeam } from './manage.js';

export interface TeamPipelineSubject extends PipelineSubject {
  team: TeamRow;
  teamPipeline: Row<'team_pipelines'>;
}

/** Finds a team's access to a pipeline, where the caller may see both. */
export async function findTeamPipeline(
  context: Context,
  address: LinkAddress,
  finding: { lock?: boolean } = {},
): Promise<TeamPipelineSubject | null> {
  const parent = await findLink(context, 'team_pipelines', address, finding);
  const pipeline = parent && (await findPipeline(context, { id: parent.link.pipelineId }));
  return parent && pipeline ? { ...pipeline, team: parent.team, teamPipeline: parent.link } : null;
}

/**
 * Throws `forbidden` unless the caller may share the pipeline with the team: administrators may, and maintainers of the
 * team with full access to the pipeline (`manage_build_and_read`).
 */
export async function requireSharer(context: Context, team: TeamRow, level: PipelineAccessLevel): Promise<void> {
  if (managesAllTeams(context, team.organizationId)) return;
  if (!levelAllows(level, 'manage') || !(await managesTeam(context, team))) throw forbidden();
}
