import { z } from 'zod';
import type { Context } from '../../../request/context.js';
import { idFromEither } from '../../../domain/node-id.js';
import { invalidField } from '../../../domain/problem.js';
import { findPipeline } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import { accessLevels } from '../../../resources/pipelines/fields.js';
import type { PipelineSubject } from '../../../core/subject.js';
import { text } from '../../../domain/input-text.js';
import { findTeam, teamAddress, type TeamSubject } from '../../../core/find-team.js';
import { recordTeam } from '../../../resources/organizations/teams/record.js';
import { requireSharer, type TeamPipelineSubject } from '../../../resources/organizations/teams/team-pipeline.js';

/**
 * Gives a team access to a pipeline; {@link requireSharer} checks permission. Refuses a hidden pipeline like a missing
 * one, and a pipeline that the team already has.
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
  // The first time the pipeline is found in `run`, which asks with the level found there.
  permit: (context, { team, level }) => level && requireSharer(context, team, level),
  run: async (
    context,
    { pipelineId, accessLevel },
    { organization, team }: TeamSubject,
  ): Promise<TeamPipelineSubject> => {
    const pipeline = await pipelineToShare(context, pipelineId);
    if (pipeline?.organization.id !== organization.id) throw invalidField('pipelineId', 'does not exist');
    await requireSharer(context, team, pipeline.level);
    const teamPipeline = await context.db
      .insertInto('team_pipelines')
      .values({
        id: context.newId(),
        organizationId: organization.id,
        teamId: team.id,
        pipelineId: pipeline.pipeline.id,
        accessLevel: accessLevel ?? 'read_only',
        createdById: context.userId,
        createdAt: context.now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!teamPipeline) throw invalidField('pipelineId', 'has already been added to the team');
    recordTeam(
      context,
      team,
      'team-pipeline.create',
      { access_level: teamPipeline.accessLevel },
      teamPipeline.pipelineId,
    );
    return { ...pipeline, team, teamPipeline };
  },
});

/** Locks the pipeline against deletion until the transaction ends. */
async function pipelineToShare(context: Context, address: string): Promise<PipelineSubject | null> {
  const id = idFromEither(address, ['Pipeline']);
  const row =
    id === null
      ? undefined
      : await context.db.selectFrom('pipelines').select('id').where('id', '=', id).forKeyShare().executeTakeFirst();
  return row ? findPipeline(context, { id: row.id }) : null;
}
