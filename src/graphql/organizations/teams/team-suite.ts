import type { GraphQLResolveInfo } from 'graphql';
import { Args, Ctx, Field, FieldResolver, Info, ObjectType, Resolver, Root } from 'type-graphql';
import type { Row, TeamRow } from '../../../entities/database.js';
import type { SuiteAccess } from '../../../entities/organizations/team-suite.js';
import { managesTeam } from '../../../resources/organizations/teams/manage.js';
import { connectionOf, connectionValue } from '../../connections/connection.js';
import type { GraphqlContext } from '../../context.js';
import { SuiteAccessLevels } from '../../enums.js';
import { Node } from '../../nodes/node.js';
import { optional } from '../../server/options.js';
import { User } from '../user.js';
import { Permission, permission } from '../../permission.js';
import { DateTime } from '../../scalars/date-time.js';
import { Suite } from '../../suites/suite.js';
import { Team } from './team.js';
import { listTeamSuites } from '../../../operations/organizations/team-suites/list.js';
import { stretchOf } from '../../connections/arguments.js';
import { TeamSuiteArguments } from './team-arguments.js';

type AccessRow = Row<'team_suites'>;

@ObjectType({ description: "Actions that the viewer may take on a team's access to a test suite." })
export class TeamSuitePermissions {
  @Field(() => Permission, { ...optional, description: 'Whether the viewer may revoke the access.' })
  teamSuiteDelete!: Permission;

  @Field(() => Permission, { ...optional, description: 'Whether the viewer may change the access level.' })
  teamSuiteUpdate!: Permission;
}

@ObjectType({ implements: Node, description: 'Access of a team to a test suite.' })
export class TeamSuite {
  @Field(() => String, { name: 'uuid', description: 'UUID of the access.' })
  id!: string;

  @Field(() => DateTime, { description: 'Time the access was granted.' })
  createdAt!: Date;
}

export const { Connection: TeamSuiteConnection, Edge: TeamSuiteEdge } = connectionOf('TeamSuite', () => TeamSuite);

/** Converts between the GraphQL access level and the access words of /v2: `edit` means `MANAGE_AND_READ`. */
export const accessOfLevel = (level: string): SuiteAccess[] =>
  level === SuiteAccessLevels.MANAGE_AND_READ ? ['read', 'edit'] : ['read'];
export const levelOfAccess = (access: readonly SuiteAccess[]): string =>
  access.includes('edit') ? SuiteAccessLevels.MANAGE_AND_READ : SuiteAccessLevels.READ_ONLY;

@Resolver(() => TeamSuite)
export class TeamSuiteResolver {
  @FieldResolver(() => SuiteAccessLevels, { description: "Access level of the team's members." })
  accessLevel(@Root() access: AccessRow): string {
    return levelOfAccess(access.accessLevel);
  }

  @FieldResolver(() => User, { ...optional, description: 'User who granted the access; null if no user did.' })
  createdBy(@Root() access: AccessRow, @Ctx() context: GraphqlContext) {
    return context.loadReference(null, context.load.user, access.createdById);
  }

  @FieldResolver(() => TeamSuitePermissions, { description: 'Actions that the viewer may take on the access.' })
  async permissions(@Root() access: AccessRow, @Ctx() context: GraphqlContext): Promise<TeamSuitePermissions> {
    const manage = permission(await managesTeam(context, { id: access.teamId, organizationId: access.organizationId }));
    return { teamSuiteDelete: manage, teamSuiteUpdate: manage };
  }

  @FieldResolver(() => Suite, { ...optional, description: 'Test suite that the team has access to.' })
  suite(@Root() access: AccessRow, @Ctx() context: GraphqlContext, @Info() info: GraphQLResolveInfo) {
    return context.loadReference('read_suites', context.load.suite, access.suiteId, info);
  }

  @FieldResolver(() => Team, { ...optional, description: 'Team that has access.' })
  team(@Root() access: AccessRow, @Ctx() context: GraphqlContext) {
    return context.load.team.load(access.teamId);
  }
}

@Resolver(() => Team)
export class SuitesOfTeamResolver {
  @FieldResolver(() => TeamSuiteConnection, { ...optional, description: 'Test suites that the team has access to.' })
  async suites(
    @Root() team: TeamRow,
    @Ctx() context: GraphqlContext,
    @Args(() => TeamSuiteArguments) args: TeamSuiteArguments,
  ) {
    return connectionValue(
      await context.performInBatch(
        listTeamSuites,
        { team: { id: team.id } },
        {
          order: args.order ?? undefined,
          paging: stretchOf(args),
        },
      ),
    );
  }
}
