import { Arg, Ctx, Field, ID, Mutation, ObjectType, Resolver } from 'type-graphql';
import { encodeNodeId } from '../../domain/node-id.js';
import { createTeamSuite } from '../../operations/team-suites/create.js';
import { deleteTeamSuite } from '../../operations/team-suites/delete.js';
import { updateTeamSuite } from '../../operations/team-suites/update.js';
import { newEdge } from '../connections/edge.js';
import type { GraphqlContext } from '../context.js';
import { SuiteAccessLevels } from '../enums.js';
import { uuidOf } from '../ids.js';
import { MutationPayload, payload } from '../mutation-input.js';
import { optional } from '../options.js';
import { Suite } from '../suites/suite.js';
import { TeamSuiteCreateInput, TeamSuiteDeleteInput, TeamSuiteUpdateInput } from './team-inputs.js';
import { accessOfLevel, TeamSuite, TeamSuiteEdge } from './team-suite.js';
import { Team } from './team.js';

@ObjectType({ description: 'What the team has now.' })
class TeamSuiteCreatePayload extends MutationPayload {
  @Field(() => Suite, optional)
  suite!: unknown;

  @Field(() => Team, optional)
  team!: unknown;

  @Field(() => TeamSuite, optional)
  teamSuite!: unknown;

  @Field(() => TeamSuiteEdge, optional)
  teamSuiteEdge!: unknown;
}

@ObjectType({ description: 'It as it is now.' })
class TeamSuiteUpdatePayload extends MutationPayload {
  @Field(() => TeamSuite)
  teamSuite!: unknown;
}

@ObjectType({ description: 'What was taken from which team.' })
class TeamSuiteDeletePayload extends MutationPayload {
  @Field(() => ID)
  deletedTeamSuiteID!: string;

  @Field(() => Team, optional)
  team!: unknown;
}

const addressOf = (id: string) => ({ teamSuite: { id: uuidOf(id, ['TeamSuite']) } });

/** What fields of the operation are called in the input. */
const fieldNames = { suiteId: 'suiteID' };

@Resolver()
export class TeamSuiteMutations {
  @Mutation(() => TeamSuiteCreatePayload, { ...optional, description: 'Gives a team access to a test suite.' })
  async teamSuiteCreate(@Arg('input', () => TeamSuiteCreateInput) input: TeamSuiteCreateInput, @Ctx() context: GraphqlContext) {
    const given = { team: { id: uuidOf(input.teamID, ['Team']) }, suiteId: input.suiteID, accessLevel: accessOfLevel(input.accessLevel ?? SuiteAccessLevels.READ_ONLY) };
    const { team, teamSuite } = await context.command(createTeamSuite, given, fieldNames);
    const suite = await context.load.suite.load(teamSuite.suiteId);
    return payload(input, { suite, team, teamSuite, teamSuiteEdge: newEdge(teamSuite) });
  }

  @Mutation(() => TeamSuiteUpdatePayload, { ...optional, description: 'Gives a team another level of access to a test suite.' })
  async teamSuiteUpdate(@Arg('input', () => TeamSuiteUpdateInput) input: TeamSuiteUpdateInput, @Ctx() context: GraphqlContext) {
    return payload(input, { teamSuite: (await context.command(updateTeamSuite, { ...addressOf(input.id), accessLevel: accessOfLevel(input.accessLevel) })).teamSuite });
  }

  @Mutation(() => TeamSuiteDeletePayload, { ...optional, description: 'Takes the access to a test suite away from a team.' })
  async teamSuiteDelete(@Arg('input', () => TeamSuiteDeleteInput) input: TeamSuiteDeleteInput, @Ctx() context: GraphqlContext) {
    const { team, teamSuite } = await context.command(deleteTeamSuite, { ...addressOf(input.id), force: input.force });
    return payload(input, { team, deletedTeamSuiteID: encodeNodeId('TeamSuite', teamSuite.id) });
  }
}
