import { Arg, Ctx, Field, ID, Mutation, ObjectType, Resolver } from 'type-graphql';
import { encodeNodeId } from '../../../domain/node-id.js';
import { createTeamMember } from '../../../operations/organizations/team-members/create.js';
import { deleteTeamMember } from '../../../operations/organizations/team-members/delete.js';
import { updateTeamMember } from '../../../operations/organizations/team-members/update.js';
import { newEdge } from '../../connections/edge.js';
import type { GraphqlContext } from '../../context.js';
import { uuidOf } from '../../nodes/ids.js';
import { MutationPayload, payload } from '../../mutation-input.js';
import { optional } from '../../server/options.js';
import { TeamMemberCreateInput, TeamMemberDeleteInput, TeamMemberUpdateInput } from './team-inputs.js';
import { TeamMember, TeamMemberEdge } from './team-member.js';
import { Team } from './team.js';

@ObjectType({ description: 'The new membership and its team.' })
class TeamMemberCreatePayload extends MutationPayload {
  @Field(() => Team, { ...optional, description: 'Team that the user joined.' })
  team!: unknown;

  @Field(() => TeamMemberEdge, {
    ...optional,
    description: 'The new membership with its cursor among those of the team.',
  })
  teamMemberEdge!: unknown;
}

@ObjectType({ description: 'The membership after the mutation.' })
class TeamMemberUpdatePayload extends MutationPayload {
  @Field(() => TeamMember, { description: 'The membership after the mutation.' })
  teamMember!: unknown;
}

@ObjectType({ description: 'The deleted membership and its team.' })
class TeamMemberDeletePayload extends MutationPayload {
  @Field(() => ID, { description: 'GraphQL ID of the deleted membership.' })
  deletedTeamMemberID!: string;

  @Field(() => Team, { ...optional, description: 'Team that the user was removed from.' })
  team!: unknown;
}

const addressOf = (id: string) => ({ teamMember: { id: uuidOf(id, ['TeamMember']) } });

/** Names of the operation's fields in the mutation's input. */
const fieldNames = { userId: 'userID' };

@Resolver()
export class TeamMemberMutations {
  @Mutation(() => TeamMemberCreatePayload, { ...optional, description: 'Adds a user to a team.' })
  async teamMemberCreate(
    @Arg('input', () => TeamMemberCreateInput, { description: 'User and team.' }) input: TeamMemberCreateInput,
    @Ctx() context: GraphqlContext,
  ) {
    const operationInput = {
      team: { id: uuidOf(input.teamID, ['Team']) },
      userId: input.userID,
      role: input.role,
      useDefaults: true,
    };
    const { team, teamMember } = await context.command(createTeamMember, operationInput, fieldNames);
    return payload(input, { team, teamMemberEdge: newEdge(teamMember) });
  }

  @Mutation(() => TeamMemberUpdatePayload, { ...optional, description: 'Changes the role of a team member.' })
  async teamMemberUpdate(
    @Arg('input', () => TeamMemberUpdateInput, { description: 'Membership with its new role.' })
    input: TeamMemberUpdateInput,
    @Ctx() context: GraphqlContext,
  ) {
    return payload(input, {
      teamMember: (await context.command(updateTeamMember, { ...addressOf(input.id), role: input.role })).teamMember,
    });
  }

  @Mutation(() => TeamMemberDeletePayload, { ...optional, description: 'Removes a member from a team.' })
  async teamMemberDelete(
    @Arg('input', () => TeamMemberDeleteInput, { description: 'Membership to delete.' }) input: TeamMemberDeleteInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { team, teamMember } = await context.command(deleteTeamMember, addressOf(input.id));
    return payload(input, { team, deletedTeamMemberID: encodeNodeId('TeamMember', teamMember.id) });
  }
}
