import { Arg, Ctx, Field, ID, Mutation, ObjectType, Resolver } from 'type-graphql';
import { encodeNodeId } from '../../domain/node-id.js';
import { createTeam } from '../../operations/teams/create.js';
import { deleteTeam } from '../../operations/teams/delete.js';
import { enableTeams } from '../../operations/teams/enable.js';
import { updateTeam } from '../../operations/teams/update.js';
import { newEdge } from '../connections/edge.js';
import type { GraphqlContext } from '../context.js';
import { uuidOf } from '../ids.js';
import { MutationPayload, payload } from '../mutation-input.js';
import { optional } from '../options.js';
import { Organization } from '../organizations/organization.js';
import { OrganizationTeamsEnableInput, TeamCreateInput, TeamDeleteInput, TeamUpdateInput } from './team-inputs.js';
import { Team, TeamEdge } from './team.js';

@ObjectType({ description: 'The team that was made.' })
class TeamCreatePayload extends MutationPayload {
  @Field(() => Organization)
  organization!: unknown;

  @Field(() => TeamEdge)
  teamEdge!: unknown;
}

@ObjectType({ description: 'The team as it is now.' })
class TeamUpdatePayload extends MutationPayload {
  @Field(() => Team)
  team!: unknown;
}

@ObjectType({ description: 'What was deleted, and where.' })
class TeamDeletePayload extends MutationPayload {
  @Field(() => ID)
  deletedTeamID!: string;

  @Field(() => Organization)
  organization!: unknown;
}

@ObjectType({ description: 'The organization, whose teams decide from now on.' })
class OrganizationTeamsEnablePayload extends MutationPayload {
  @Field(() => Organization)
  organization!: unknown;
}

const addressOf = (id: string) => ({ team: { id: uuidOf(id, ['Team']) } });

@Resolver()
export class TeamMutations {
  @Mutation(() => OrganizationTeamsEnablePayload, { ...optional, description: 'Lets teams decide who may see a pipeline.' })
  async organizationTeamsEnable(@Arg('input', () => OrganizationTeamsEnableInput) input: OrganizationTeamsEnableInput, @Ctx() context: GraphqlContext) {
    const { organization } = await context.command(enableTeams, { organization: { id: uuidOf(input.organizationId, ['Organization']) } });
    return payload(input, { organization });
  }

  @Mutation(() => TeamCreatePayload, { ...optional, description: 'Makes a team.' })
  async teamCreate(@Arg('input', () => TeamCreateInput) input: TeamCreateInput, @Ctx() context: GraphqlContext) {
    const { clientMutationId: _echoed, organizationID, membersCanDeletePipelines: _noEffect, ...fields } = input;
    const { organization, team } = await context.command(createTeam, { ...fields, organization: { id: uuidOf(organizationID, ['Organization']) } });
    return payload(input, { organization, teamEdge: newEdge(team) });
  }

  @Mutation(() => TeamUpdatePayload, { ...optional, description: 'Changes a team; its slug stays.' })
  async teamUpdate(@Arg('input', () => TeamUpdateInput) input: TeamUpdateInput, @Ctx() context: GraphqlContext) {
    const { clientMutationId: _echoed, id, membersCanDeletePipelines: _noEffect, ...fields } = input;
    return payload(input, { team: (await context.command(updateTeam, { ...fields, ...addressOf(id) })).team });
  }

  @Mutation(() => TeamDeletePayload, { ...optional, description: 'Deletes a team; its people, pipelines and suites stay.' })
  async teamDelete(@Arg('input', () => TeamDeleteInput) input: TeamDeleteInput, @Ctx() context: GraphqlContext) {
    const { organization, team } = await context.command(deleteTeam, addressOf(input.id));
    return payload(input, { organization, deletedTeamID: encodeNodeId('Team', team.id) });
  }
}
