import type { Context } from '../../../request/context.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import type { TeamRow } from '../../../entities/database.js';

/** Records the event of a change of a team or its links; `type` is the operation's name. */
export function recordTeam(
  context: Context,
  team: Pick<TeamRow, 'id' | 'organizationId'>,
  type: `team${string}.${string}`,
  data: JsonObject,
  pipelineId: string | null = null,
): void {
  context.record({ organizationId: team.organizationId, subject: 'team', subjectId: team.id, type, pipelineId, data });
}
