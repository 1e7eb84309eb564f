import { Ctx, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import type { Row } from '../../entities/database.js';
import type { SuiteAccess } from '../../entities/team-suite.js';
import { managesTeam } from '../../operations/teams/manage.js';
import { connectionOf } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { SuiteAccessLevels } from '../enums.js';
import { Node } from '../node.js';
import { optional } from '../options.js';
import { User } from '../organizations/user.js';
import { Permission, permission } from '../permission.js';
import { DateTime } from '../scalars/date-time.js';
import { Suite } from '../suites/suite.js';
import { Team } from './team.js';

type AccessRow = Row<'team_suites'>;

@ObjectType({ description: 'What the viewer may do with the access of a team to a test suite.' })
export class TeamSuitePermissions {
  @Field(() => Permission, optional)
  teamSuiteDelete!: Permission;

  @Field(() => Permission, optional)
  teamSuiteUpdate!: Permission;
}

@ObjectType({ implements: Node, description: 'The access of a team to a test suite.' })
export class TeamSuite {
  @Field(() => String, { name: 'uuid' })
  id!: string;

  @Field(() => DateTime)
  createdAt!: Date;
}

export const { Connection: TeamSuiteConnection, Edge: TeamSuiteEdge } = connectionOf('TeamSuite', () => TeamSuite);

/** The words of /v2 behind a level, and the level of words: whoever may edit may manage (graphql-facts 7). */
export const accessOfLevel = (level: string): SuiteAccess[] => (level === SuiteAccessLevels.MANAGE_AND_READ ? ['read', 'edit'] : ['read']);
export const levelOfAccess = (access: readonly SuiteAccess[]): string => (access.includes('edit') ? SuiteAccessLevels.MANAGE_AND_READ : SuiteAccessLevels.READ_ONLY);

@Resolver(() => TeamSuite)
export class TeamSuiteResolver {
  @FieldResolver(() => SuiteAccessLevels)
  accessLevel(@Root() access: AccessRow): string {
    return levelOfAccess(access.accessLevel);
  }

  @FieldResolver(() => User, optional)
  createdBy(@Root() access: AccessRow, @Ctx() context: GraphqlContext) {
    return context.follow(null, context.load.user, access.createdById);
  }

  @FieldResolver(() => TeamSuitePermissions)
  async permissions(@Root() access: AccessRow, @Ctx() context: GraphqlContext): Promise<TeamSuitePermissions> {
    const manage = permission(await managesTeam(context, { id: access.teamId, organizationId: access.organizationId }));
    return { teamSuiteDelete: manage, teamSuiteUpdate: manage };
  }

  @FieldResolver(() => Suite, optional)
  suite(@Root() access: AccessRow, @Ctx() context: GraphqlContext) {
    return context.follow('read_suites', context.load.suite, access.suiteId);
  }

  @FieldResolver(() => Team, optional)
  team(@Root() access: AccessRow, @Ctx() context: GraphqlContext) {
    return context.load.team.load(access.teamId);
  }
}
