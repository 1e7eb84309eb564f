import { Arg, Ctx, Field, ID, Mutation, ObjectType, Resolver } from 'type-graphql';
import { encodeNodeId } from '../../../domain/node-id.js';
import { createTeam } from '../../../operations/organizations/teams/create.js';
import { deleteTeam } from '../../../operations/organizations/teams/delete.js';
import { enableTeams } from '../../../operations/organizations/teams/enable.js';
import { updateTeam } from '../../../operations/organizations/teams/update.js';
import { newEdge } from '../../connections/edge.js';
import type { GraphqlContext } from '../../context.js';
import { uuidOf } from '../../nodes/ids.js';
import { MutationPayload, payload } from '../../mutation-input.js';
import { optional } from '../../server/options.js';
import { Organization } from '../organization.js';
import { OrganizationTeamsEnableInput, TeamCreateInput, TeamDeleteInput, TeamUpdateInput } from './team-inputs.js';
import { Team, TeamEdge } from './team.js';

@ObjectType({ description: 'The new team and its organization.' })
class TeamCreatePayload extends MutationPayload {
  @Field(() => Organization, { description: 'Organization of the team.' })
  organization!: unknown;

  @Field(() => TeamEdge, { description: 'The new team with its cursor among those of the organization.' })
  teamEdge!: unknown;
}

@ObjectType({ description: 'The team after the mutation.' })
class TeamUpdatePayload extends MutationPayload {
  @Field(() => Team, { description: 'The team after the mutation.' })
  team!: unknown;
}

@ObjectType({ description: 'The deleted team and its organization.' })
class TeamDeletePayload extends MutationPayload {
  @Field(() => ID, { description: 'GraphQL ID of the deleted team.' })
  deletedTeamID!: string;

  @Field(() => Organization, { description: 'Organization of the deleted team.' })
  organization!: unknown;
}

@ObjectType({ description: 'The organization after the mutation.' })
class OrganizationTeamsEnablePayload extends MutationPayload {
  @Field(() => Organization, { description: 'The organization after the mutation.' })
  organization!: unknown;
}

const addressOf = (id: string) => ({ team: { id: uuidOf(id, ['Team']) } });

@Resolver()
export class TeamMutations {
  @Mutation(() => OrganizationTeamsEnablePayload, {
    ...optional,
    description: 'Enables teams in an organization, so that access to pipelines is granted by teams.',
  })
  async organizationTeamsEnable(
    @Arg('input', () => OrganizationTeamsEnableInput, { description: 'Organization to enable teams in.' })
    input: OrganizationTeamsEnableInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { organization } = await context.command(enableTeams, {
      organization: { id: uuidOf(input.organizationId, ['Organization']) },
    });
    return payload(input, { organization });
  }

  @Mutation(() => TeamCreatePayload, { ...optional, description: 'Creates a team.' })
  async teamCreate(
    @Arg('input', () => TeamCreateInput, { description: 'Fields of the new team.' }) input: TeamCreateInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { clientMutationId: _echoed, organizationID, membersCanDeletePipelines: _noEffect, ...fields } = input;
    const { organization, team } = await context.command(createTeam, {
      ...fields,
      organization: { id: uuidOf(organizationID, ['Organization']) },
    });
    return payload(input, { organization, teamEdge: newEdge(team) });
  }

  @Mutation(() => TeamUpdatePayload, { ...optional, description: 'Updates a team; its slug stays unchanged.' })
  async teamUpdate(
    @Arg('input', () => TeamUpdateInput, { description: 'Team to update, with its new fields.' })
    input: TeamUpdateInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { clientMutationId: _echoed, id, membersCanDeletePipelines: _noEffect, ...fields } = input;
    return payload(input, { team: (await context.command(updateTeam, { ...fields, ...addressOf(id) })).team });
  }

  @Mutation(() => TeamDeletePayload, {
    ...optional,
    description: 'Deletes a team; its users, pipelines and test suites remain.',
  })
  async teamDelete(
    @Arg('input', () => TeamDeleteInput, { description: 'Team to delete.' }) input: TeamDeleteInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { organization, team } = await context.command(deleteTeam, addressOf(input.id));
    return payload(input, { organization, deletedTeamID: encodeNodeId('Team', team.id) });
  }
}
