import { z } from 'zod';
import type { Context } from '../../context.js';
import { idFromEither } from '../../domain/node-id.js';
import { invalidField } from '../../domain/problem.js';
import { findPipeline } from '../find.js';
import { defineOperation } from '../operation.js';
import { accessLevels } from '../pipelines/fields.js';
import type { PipelineSubject } from '../subject.js';
import { text } from '../text.js';
import { findTeam, teamAddress, type TeamSubject } from './find-team.js';
import { recordTeam } from './record.js';
import { requireSharer, type TeamPipelineSubject } from './team-pipeline.js';

/**
 * Gives a team access to a pipeline (rest-facts 3.5); see {@link requireSharer} for who may. Refuses a pipeline that
 * the caller may not see as one that is not there, and one that the team has already.
 */
export const createTeamPipeline = defineOperation({
  name: 'team-pipeline.create',
  summary: 'Gives a team access to a pipeline.',
  kind: 'command',
  scope: 'write_teams',
  access: 'member',
  refusal: 'sentence',
  input: z.object({
    team: teamAddress,
    /** Uuid or node id. */
    pipelineId: text(300),
    accessLevel: accessLevels.nullish(),
  }),
  subject: (context, { team }) => findTeam(context, team, { lock: true }),
  run: async (context, { pipelineId, accessLevel }, { organization, team }: TeamSubject): Promise<TeamPipelineSubject> => {
    const found = await pipelineToShare(context, pipelineId);
    if (found?.organization.id !== organization.id) throw invalidField('pipelineId', 'does not exist');
    await requireSharer(context, team, found.level);
    const teamPipeline = await context.db
      .insertInto('team_pipelines')
      .values({
        id: context.newId(),
        organizationId: organization.id,
        teamId: team.id,
        pipelineId: found.pipeline.id,
        accessLevel: accessLevel ?? 'read_only',
        createdById: context.userId,
        createdAt: context.now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!teamPipeline) throw invalidField('pipelineId', 'has already been added to the team');
    recordTeam(context, team, 'team-pipeline.create', { access_level: teamPipeline.accessLevel }, teamPipeline.pipelineId);
    return { ...found, team, teamPipeline };
  },
});

/** The pipeline, kept from being deleted until the transaction ends. */
async function pipelineToShare(context: Context, given: string): Promise<PipelineSubject | null> {
  const id = idFromEither(given, ['Pipeline']);
  const kept = id === null ? undefined : await context.db.selectFrom('pipelines').select('id').where('id', '=', id).forKeyShare().executeTakeFirst();
  return kept ? findPipeline(context, { id: kept.id }) : null;
}
