import { Arg, Ctx, Field, ID, Mutation, ObjectType, Resolver } from 'type-graphql';
import { encodeNodeId } from '../../domain/node-id.js';
import { createTeamMember } from '../../operations/teams/create-member.js';
import { deleteTeamMember } from '../../operations/teams/delete-member.js';
import { updateTeamMember } from '../../operations/teams/update-member.js';
import { newEdge } from '../connections/edge.js';
import type { GraphqlContext } from '../context.js';
import { uuidOf } from '../ids.js';
import { MutationPayload, payload } from '../mutation-input.js';
import { optional } from '../options.js';
import { TeamMemberCreateInput, TeamMemberDeleteInput, TeamMemberUpdateInput } from './team-inputs.js';
import { TeamMember, TeamMemberEdge } from './team-member.js';
import { Team } from './team.js';

@ObjectType({ description: 'What the team has now.' })
class TeamMemberCreatePayload extends MutationPayload {
  @Field(() => Team, optional)
  team!: unknown;

  @Field(() => TeamMemberEdge, optional)
  teamMemberEdge!: unknown;
}

@ObjectType({ description: 'It as it is now.' })
class TeamMemberUpdatePayload extends MutationPayload {
  @Field(() => TeamMember)
  teamMember!: unknown;
}

@ObjectType({ description: 'What was taken from which team.' })
class TeamMemberDeletePayload extends MutationPayload {
  @Field(() => ID)
  deletedTeamMemberID!: string;

  @Field(() => Team, optional)
  team!: unknown;
}

const addressOf = (id: string) => ({ teamMember: { id: uuidOf(id, ['TeamMember']) } });

/** What fields of the operation are called in the input. */
const fieldNames = { userId: 'userID' };

@Resolver()
export class TeamMemberMutations {
  @Mutation(() => TeamMemberCreatePayload, { ...optional, description: 'Takes a person into a team.' })
  async teamMemberCreate(@Arg('input', () => TeamMemberCreateInput) input: TeamMemberCreateInput, @Ctx() context: GraphqlContext) {
    const given = { team: { id: uuidOf(input.teamID, ['Team']) }, userId: input.userID, role: input.role, useDefaults: true };
    const { team, teamMember } = await context.command(createTeamMember, given, fieldNames);
    return payload(input, { team, teamMemberEdge: newEdge(teamMember) });
  }

  @Mutation(() => TeamMemberUpdatePayload, { ...optional, description: 'Gives a member of a team another role.' })
  async teamMemberUpdate(@Arg('input', () => TeamMemberUpdateInput) input: TeamMemberUpdateInput, @Ctx() context: GraphqlContext) {
    return payload(input, { teamMember: (await context.command(updateTeamMember, { ...addressOf(input.id), role: input.role })).teamMember });
  }

  @Mutation(() => TeamMemberDeletePayload, { ...optional, description: 'Takes a member out of a team.' })
  async teamMemberDelete(@Arg('input', () => TeamMemberDeleteInput) input: TeamMemberDeleteInput, @Ctx() context: GraphqlContext) {
    const { team, teamMember } = await context.command(deleteTeamMember, addressOf(input.id));
    return payload(input, { team, deletedTeamMemberID: encodeNodeId('TeamMember', teamMember.id) });
  }
}
