import { Arg, Ctx, Field, ID, Mutation, ObjectType, Resolver } from 'type-graphql';
import { encodeNodeId } from '../../../domain/node-id.js';
import { createTeamSuite } from '../../../operations/organizations/team-suites/create.js';
import { deleteTeamSuite } from '../../../operations/organizations/team-suites/delete.js';
import { updateTeamSuite } from '../../../operations/organizations/team-suites/update.js';
import { newEdge } from '../../connections/edge.js';
import type { GraphqlContext } from '../../context.js';
import { SuiteAccessLevels } from '../../enums.js';
import { uuidOf } from '../../nodes/ids.js';
import { MutationPayload, payload } from '../../mutation-input.js';
import { optional } from '../../server/options.js';
import { Suite } from '../../suites/suite.js';
import { TeamSuiteCreateInput, TeamSuiteDeleteInput, TeamSuiteUpdateInput } from './team-inputs.js';
import { accessOfLevel, TeamSuite, TeamSuiteEdge } from './team-suite.js';
import { Team } from './team.js';

@ObjectType({ description: 'The new access with its team and test suite.' })
class TeamSuiteCreatePayload extends MutationPayload {
  @Field(() => Suite, { ...optional, description: 'Test suite that the team has access to.' })
  suite!: unknown;

  @Field(() => Team, { ...optional, description: 'Team that has access.' })
  team!: unknown;

  @Field(() => TeamSuite, { ...optional, description: 'The new access.' })
  teamSuite!: unknown;

  @Field(() => TeamSuiteEdge, { ...optional, description: 'The new access with its cursor among those of the team.' })
  teamSuiteEdge!: unknown;
}

@ObjectType({ description: 'The access after the mutation.' })
class TeamSuiteUpdatePayload extends MutationPayload {
  @Field(() => TeamSuite, { description: 'The access after the mutation.' })
  teamSuite!: unknown;
}

@ObjectType({ description: 'The revoked access and its team.' })
class TeamSuiteDeletePayload extends MutationPayload {
  @Field(() => ID, { description: 'GraphQL ID of the revoked access.' })
  deletedTeamSuiteID!: string;

  @Field(() => Team, { ...optional, description: 'Team that lost the access.' })
  team!: unknown;
}

const addressOf = (id: string) => ({ teamSuite: { id: uuidOf(id, ['TeamSuite']) } });

/** Names of the operation's fields in the mutation's input. */
const fieldNames = { suiteId: 'suiteID' };

@Resolver()
export class TeamSuiteMutations {
  @Mutation(() => TeamSuiteCreatePayload, { ...optional, description: 'Grants a team access to a test suite.' })
  async teamSuiteCreate(
    @Arg('input', () => TeamSuiteCreateInput, { description: 'Team, test suite and access level.' })
    input: TeamSuiteCreateInput,
    @Ctx() context: GraphqlContext,
  ) {
    const operationInput = {
      team: { id: uuidOf(input.teamID, ['Team']) },
      suiteId: input.suiteID,
      accessLevel: accessOfLevel(input.accessLevel ?? SuiteAccessLevels.READ_ONLY),
    };
    const { team, teamSuite } = await context.command(createTeamSuite, operationInput, fieldNames);
    const suite = await context.load.suite.load(teamSuite.suiteId);
    return payload(input, { suite, team, teamSuite, teamSuiteEdge: newEdge(teamSuite) });
  }

  @Mutation(() => TeamSuiteUpdatePayload, {
    ...optional,
    description: "Changes a team's access level to a test suite.",
  })
  async teamSuiteUpdate(
    @Arg('input', () => TeamSuiteUpdateInput, { description: 'Access to change, with its new level.' })
    input: TeamSuiteUpdateInput,
    @Ctx() context: GraphqlContext,
  ) {
    return payload(input, {
      teamSuite: (
        await context.command(updateTeamSuite, {
          ...addressOf(input.id),
          accessLevel: accessOfLevel(input.accessLevel),
        })
      ).teamSuite,
    });
  }

  @Mutation(() => TeamSuiteDeletePayload, {
    ...optional,
    description: "Revokes a team's access to a test suite.",
  })
  async teamSuiteDelete(
    @Arg('input', () => TeamSuiteDeleteInput, { description: 'Access to revoke.' }) input: TeamSuiteDeleteInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { team, teamSuite } = await context.command(deleteTeamSuite, { ...addressOf(input.id), force: input.force });
    return payload(input, { team, deletedTeamSuiteID: encodeNodeId('TeamSuite', teamSuite.id) });
  }
}
