import { levelAllows } from '../../auth/authorize.js';
import type { Context } from '../../context.js';
import { forbidden } from '../../domain/problem.js';
import type { Row, TeamRow } from '../../entities/database.js';
import type { PipelineAccessLevel } from '../../entities/team-pipeline.js';
import { findPipeline } from '../find.js';
import type { PipelineSubject } from '../subject.js';
import { findLink, type LinkAddress } from './find-link.js';
import { managesAllTeams, managesTeam } from './manage.js';

export interface TeamPipelineSubject extends PipelineSubject {
  team: TeamRow;
  teamPipeline: Row<'team_pipelines'>;
}

/** The access of a team to a pipeline that a caller names, if it may see both. */
export async function findTeamPipeline(context: Context, address: LinkAddress, finding: { lock?: boolean } = {}): Promise<TeamPipelineSubject | null> {
  const found = await findLink(context, 'team_pipelines', address, finding);
  const pipeline = found && (await findPipeline(context, { id: found.link.pipelineId }));
  return found && pipeline ? { ...pipeline, team: found.team, teamPipeline: found.link } : null;
}

/**
 * Refuses with `forbidden` whoever may not share a pipeline with a team: administrators may, and maintainers of the
 * team who have full access to the pipeline (rest-facts 1.7: `manage_build_and_read` shares).
 */
export async function requireSharer(context: Context, team: TeamRow, level: PipelineAccessLevel): Promise<void> {
  if (managesAllTeams(context, team.organizationId)) return;
  if (!levelAllows(level, 'manage') || !(await managesTeam(context, team))) throw forbidden();
}
