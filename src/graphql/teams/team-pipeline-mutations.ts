import { Arg, Ctx, Field, ID, Mutation, ObjectType, Resolver } from 'type-graphql';
import { encodeNodeId } from '../../domain/node-id.js';
import { createTeamPipeline } from '../../operations/teams/create-pipeline.js';
import { deleteTeamPipeline } from '../../operations/teams/delete-pipeline.js';
import { updateTeamPipeline } from '../../operations/teams/update-pipeline.js';
import { newEdge } from '../connections/edge.js';
import type { GraphqlContext } from '../context.js';
import { uuidOf } from '../ids.js';
import { MutationPayload, payload } from '../mutation-input.js';
import { optional } from '../options.js';
import { Pipeline } from '../pipelines/pipeline.js';
import { TeamPipelineCreateInput, TeamPipelineDeleteInput, TeamPipelineUpdateInput } from './team-inputs.js';
import { TeamPipeline, TeamPipelineEdge } from './team-pipeline.js';
import { Team } from './team.js';

@ObjectType({ description: 'What the team has now.' })
class TeamPipelineCreatePayload extends MutationPayload {
  @Field(() => Pipeline, optional)
  pipeline!: unknown;

  @Field(() => Team, optional)
  team!: unknown;

  @Field(() => TeamPipeline, optional)
  teamPipeline!: unknown;

  @Field(() => TeamPipelineEdge, optional)
  teamPipelineEdge!: unknown;
}

@ObjectType({ description: 'It as it is now.' })
class TeamPipelineUpdatePayload extends MutationPayload {
  @Field(() => TeamPipeline)
  teamPipeline!: unknown;
}

@ObjectType({ description: 'What was taken from which team.' })
class TeamPipelineDeletePayload extends MutationPayload {
  @Field(() => ID)
  deletedTeamPipelineID!: string;

  @Field(() => Team, optional)
  team!: unknown;
}

const addressOf = (id: string) => ({ teamPipeline: { id: uuidOf(id, ['TeamPipeline']) } });

/** What fields of the operation are called in the input. */
const fieldNames = { pipelineId: 'pipelineID' };

@Resolver()
export class TeamPipelineMutations {
  @Mutation(() => TeamPipelineCreatePayload, { ...optional, description: 'Gives a team access to a pipeline.' })
  async teamPipelineCreate(@Arg('input', () => TeamPipelineCreateInput) input: TeamPipelineCreateInput, @Ctx() context: GraphqlContext) {
    const given = { team: { id: uuidOf(input.teamID, ['Team']) }, pipelineId: input.pipelineID, accessLevel: input.accessLevel };
    const { team, pipeline, teamPipeline } = await context.command(createTeamPipeline, given, fieldNames);
    return payload(input, { pipeline, team, teamPipeline, teamPipelineEdge: newEdge(teamPipeline) });
  }

  @Mutation(() => TeamPipelineUpdatePayload, { ...optional, description: 'Gives a team another level of access to a pipeline.' })
  async teamPipelineUpdate(@Arg('input', () => TeamPipelineUpdateInput) input: TeamPipelineUpdateInput, @Ctx() context: GraphqlContext) {
    return payload(input, { teamPipeline: (await context.command(updateTeamPipeline, { ...addressOf(input.id), accessLevel: input.accessLevel })).teamPipeline });
  }

  @Mutation(() => TeamPipelineDeletePayload, { ...optional, description: 'Takes the access to a pipeline away from a team.' })
  async teamPipelineDelete(@Arg('input', () => TeamPipelineDeleteInput) input: TeamPipelineDeleteInput, @Ctx() context: GraphqlContext) {
    const { team, teamPipeline } = await context.command(deleteTeamPipeline, { ...addressOf(input.id), force: input.force });
    return payload(input, { team, deletedTeamPipelineID: encodeNodeId('TeamPipeline', teamPipeline.id) });
  }
}
