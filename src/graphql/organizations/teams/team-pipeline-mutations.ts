import { Arg, Ctx, Field, ID, Mutation, ObjectType, Resolver } from 'type-graphql';
import { encodeNodeId } from '../../../domain/node-id.js';
import { createTeamPipeline } from '../../../operations/organizations/team-pipelines/create.js';
import { deleteTeamPipeline } from '../../../operations/organizations/team-pipelines/delete.js';
import { updateTeamPipeline } from '../../../operations/organizations/team-pipelines/update.js';
import { newEdge } from '../../connections/edge.js';
import type { GraphqlContext } from '../../context.js';
import { uuidOf } from '../../nodes/ids.js';
import { MutationPayload, payload } from '../../mutation-input.js';
import { optional } from '../../server/options.js';
import { Pipeline } from '../../pipelines/pipeline.js';
import { TeamPipelineCreateInput, TeamPipelineDeleteInput, TeamPipelineUpdateInput } from './team-inputs.js';
import { TeamPipeline, TeamPipelineEdge } from './team-pipeline.js';
import { Team } from './team.js';

@ObjectType({ description: 'The new access with its team and pipeline.' })
class TeamPipelineCreatePayload extends MutationPayload {
  @Field(() => Pipeline, { ...optional, description: 'Pipeline that the team has access to.' })
  pipeline!: unknown;

  @Field(() => Team, { ...optional, description: 'Team that has access.' })
  team!: unknown;

  @Field(() => TeamPipeline, { ...optional, description: 'The new access.' })
  teamPipeline!: unknown;

  @Field(() => TeamPipelineEdge, {
    ...optional,
    description: 'The new access with its cursor among those of the team.',
  })
  teamPipelineEdge!: unknown;
}

@ObjectType({ description: 'The access after the mutation.' })
class TeamPipelineUpdatePayload extends MutationPayload {
  @Field(() => TeamPipeline, { description: 'The access after the mutation.' })
  teamPipeline!: unknown;
}

@ObjectType({ description: 'The revoked access and its team.' })
class TeamPipelineDeletePayload extends MutationPayload {
  @Field(() => ID, { description: 'GraphQL ID of the revoked access.' })
  deletedTeamPipelineID!: string;

  @Field(() => Team, { ...optional, description: 'Team that lost the access.' })
  team!: unknown;
}

const addressOf = (id: string) => ({ teamPipeline: { id: uuidOf(id, ['TeamPipeline']) } });

/** Names of the operation's fields in the mutation's input. */
const fieldNames = { pipelineId: 'pipelineID' };

@Resolver()
export class TeamPipelineMutations {
  @Mutation(() => TeamPipelineCreatePayload, { ...optional, description: 'Grants a team access to a pipeline.' })
  async teamPipelineCreate(
    @Arg('input', () => TeamPipelineCreateInput, { description: 'Team, pipeline and access level.' })
    input: TeamPipelineCreateInput,
    @Ctx() context: GraphqlContext,
  ) {
    const operationInput = {
      team: { id: uuidOf(input.teamID, ['Team']) },
      pipelineId: input.pipelineID,
      accessLevel: input.accessLevel,
    };
    const { team, pipeline, teamPipeline } = await context.command(createTeamPipeline, operationInput, fieldNames);
    return payload(input, { pipeline, team, teamPipeline, teamPipelineEdge: newEdge(teamPipeline) });
  }

  @Mutation(() => TeamPipelineUpdatePayload, {
    ...optional,
    description: "Changes a team's access level to a pipeline.",
  })
  async teamPipelineUpdate(
    @Arg('input', () => TeamPipelineUpdateInput, { description: 'Access to change, with its new level.' })
    input: TeamPipelineUpdateInput,
    @Ctx() context: GraphqlContext,
  ) {
    return payload(input, {
      teamPipeline: (
        await context.command(updateTeamPipeline, { ...addressOf(input.id), accessLevel: input.accessLevel })
      ).teamPipeline,
    });
  }

  @Mutation(() => TeamPipelineDeletePayload, {
    ...optional,
    description: "Revokes a team's access to a pipeline.",
  })
  async teamPipelineDelete(
    @Arg('input', () => TeamPipelineDeleteInput, { description: 'Access to revoke.' }) input: TeamPipelineDeleteInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { team, teamPipeline } = await context.command(deleteTeamPipeline, {
      ...addressOf(input.id),
      force: input.force,
    });
    return payload(input, { team, deletedTeamPipelineID: encodeNodeId('TeamPipeline', teamPipeline.id) });
  }
}
