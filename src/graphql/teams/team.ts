import { Arg, Args, Ctx, Field, FieldResolver, ID, ObjectType, Query, Resolver, Root } from 'type-graphql';
import type { TeamRow } from '../../entities/database.js';
import { getTeam } from '../../operations/teams/get.js';
import { listTeamSuites } from '../../operations/team-suites/list.js';
import { listTeamMembers } from '../../operations/teams/list-members.js';
import { listTeamPipelines } from '../../operations/teams/list-pipelines.js';
import { stretchOf } from '../connections/arguments.js';
import { connectionOf, connectionValue } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { TeamMemberRole, TeamPrivacy } from '../enums.js';
import { slugParts } from '../ids.js';
import { Node } from '../node.js';
import { optional } from '../options.js';
import { Organization } from '../organizations/organization.js';
import { User } from '../organizations/user.js';
import { DateTime } from '../scalars/date-time.js';
import { TeamMemberArguments, TeamPipelineArguments, TeamSuiteArguments } from './team-arguments.js';
import { TeamMemberConnection } from './team-member.js';
import { TeamPipelineConnection } from './team-pipeline.js';
import { TeamSuiteConnection } from './team-suite.js';

@ObjectType({ implements: Node, description: 'People of an organization who share access to pipelines.' })
export class Team {
  @Field(() => ID, { name: 'uuid' })
  id!: string;

  @Field(() => String)
  slug!: string;

  @Field(() => String)
  name!: string;

  @Field(() => String, optional)
  description!: string | null;

  @Field(() => TeamPrivacy)
  privacy!: string;

  @Field(() => Boolean, { name: 'isDefaultTeam', description: 'Whether new members of the organization join it.' })
  isDefault!: boolean;

  @Field(() => TeamMemberRole)
  defaultMemberRole!: string;

  @Field(() => Boolean)
  membersCanCreatePipelines!: boolean;

  @Field(() => Boolean)
  membersCanCreateRegistries!: boolean;

  @Field(() => Boolean)
  membersCanCreateSuites!: boolean;

  @Field(() => Boolean)
  membersCanDestroyPackages!: boolean;

  @Field(() => Boolean)
  membersCanDestroyRegistries!: boolean;

  @Field(() => DateTime)
  createdAt!: Date;
}

export const { Connection: TeamConnection, Edge: TeamEdge } = connectionOf('Team', () => Team);

@Resolver(() => Team)
export class TeamResolver {
  @Query(() => Team, { ...optional, description: 'A team by its slug (`organization/team`).' })
  async team(@Ctx() context: GraphqlContext, @Arg('slug', () => ID) slug: string): Promise<TeamRow | null> {
    const [organization, name] = slugParts(slug, 2) ?? [];
    const found = organization && name ? await context.find(getTeam, { team: { organization, slug: name } }) : null;
    return found?.team ?? null;
  }

  @FieldResolver(() => User, optional)
  createdBy(@Root() team: TeamRow, @Ctx() context: GraphqlContext) {
    return context.follow(null, context.load.user, team.createdById);
  }

  @FieldResolver(() => TeamMemberConnection, optional)
  async members(@Root() team: TeamRow, @Ctx() context: GraphqlContext, @Args(() => TeamMemberArguments) given: TeamMemberArguments) {
    const { role, search } = given;
    return connectionValue(await context.perform(listTeamMembers, { team: { id: team.id }, role, search, order: given.order ?? undefined, paging: stretchOf(given) }));
  }

  @FieldResolver(() => Boolean, { deprecationReason: 'It has no effect.' })
  membersCanDeletePipelines(): boolean {
    return false;
  }

  @FieldResolver(() => Organization, optional)
  organization(@Root() team: TeamRow, @Ctx() context: GraphqlContext) {
    return context.load.organization.load(team.organizationId);
  }

  @FieldResolver(() => TeamPipelineConnection, optional)
  async pipelines(@Root() team: TeamRow, @Ctx() context: GraphqlContext, @Args(() => TeamPipelineArguments) given: TeamPipelineArguments) {
    return connectionValue(await context.perform(listTeamPipelines, { team: { id: team.id }, search: given.search, order: given.order ?? undefined, paging: stretchOf(given) }));
  }

  @FieldResolver(() => TeamSuiteConnection, optional)
  async suites(@Root() team: TeamRow, @Ctx() context: GraphqlContext, @Args(() => TeamSuiteArguments) given: TeamSuiteArguments) {
    return connectionValue(await context.perform(listTeamSuites, { team: { id: team.id }, order: given.order ?? undefined, paging: stretchOf(given) }));
  }
}
