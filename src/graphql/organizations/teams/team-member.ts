import { Args, Ctx, Field, FieldResolver, ID, ObjectType, Resolver, Root } from 'type-graphql';
import type { Row, TeamRow } from '../../../entities/database.js';
import { managesTeam } from '../../../resources/organizations/teams/manage.js';
import { connectionOf, connectionValue } from '../../connections/connection.js';
import type { GraphqlContext } from '../../context.js';
import { TeamMemberRole } from '../../enums.js';
import { Node } from '../../nodes/node.js';
import { optional } from '../../server/options.js';
import { OrganizationMember } from '../organization-member.js';
import { User } from '../user.js';
import { Permission, permission } from '../../permission.js';
import { DateTime } from '../../scalars/date-time.js';
import { Team } from './team.js';
import { listTeamMembers } from '../../../operations/organizations/team-members/list.js';
import { stretchOf } from '../../connections/arguments.js';
import { TeamMemberArguments } from './team-arguments.js';

type MemberRow = Row<'team_members'>;

@ObjectType({ description: 'Actions that the viewer may take on a team membership.' })
export class TeamMemberPermissions {
  @Field(() => Permission, { ...optional, description: 'Whether the viewer may remove the member from the team.' })
  teamMemberDelete!: Permission;

  @Field(() => Permission, { ...optional, description: "Whether the viewer may change the member's role." })
  teamMemberUpdate!: Permission;
}

@ObjectType({ implements: Node, description: 'Membership of a user in a team.' })
export class TeamMember {
  @Field(() => ID, { name: 'uuid', description: 'UUID of the membership.' })
  id!: string;

  @Field(() => TeamMemberRole, { description: 'Role of the user in the team.' })
  role!: string;

  @Field(() => DateTime, { description: 'Time the user joined the team.' })
  createdAt!: Date;
}

export const { Connection: TeamMemberConnection, Edge: TeamMemberEdge } = connectionOf('TeamMember', () => TeamMember);

@Resolver(() => TeamMember)
export class TeamMemberResolver {
  @FieldResolver(() => User, { ...optional, description: 'User who added the member; null if no user did.' })
  createdBy(@Root() member: MemberRow, @Ctx() context: GraphqlContext) {
    return context.loadReference(null, context.load.user, member.createdById);
  }

  @FieldResolver(() => OrganizationMember, {
    ...optional,
    description: 'Membership of the user in the organization of the team.',
  })
  organizationMember(@Root() member: MemberRow, @Ctx() context: GraphqlContext) {
    return context.load.memberOfOrganization.load(`${member.organizationId} ${member.userId}`);
  }

  @FieldResolver(() => TeamMemberPermissions, { description: 'Actions that the viewer may take on the membership.' })
  async permissions(@Root() member: MemberRow, @Ctx() context: GraphqlContext): Promise<TeamMemberPermissions> {
    const manage = permission(await managesTeam(context, { id: member.teamId, organizationId: member.organizationId }));
    return { teamMemberDelete: manage, teamMemberUpdate: manage };
  }

  @FieldResolver(() => Team, { ...optional, description: 'Team of the membership.' })
  team(@Root() member: MemberRow, @Ctx() context: GraphqlContext) {
    return context.load.team.load(member.teamId);
  }

  @FieldResolver(() => User, { ...optional, description: 'User of the membership.' })
  user(@Root() member: MemberRow, @Ctx() context: GraphqlContext) {
    return context.load.user.load(member.userId);
  }
}

@Resolver(() => Team)
export class MembersOfTeamResolver {
  @FieldResolver(() => TeamMemberConnection, { ...optional, description: 'Members of the team.' })
  async members(
    @Root() team: TeamRow,
    @Ctx() context: GraphqlContext,
    @Args(() => TeamMemberArguments) args: TeamMemberArguments,
  ) {
    const { role, search } = args;
    return connectionValue(
      await context.performInBatch(
        listTeamMembers,
        { team: { id: team.id } },
        {
          role,
          search,
          order: args.order ?? undefined,
          paging: stretchOf(args),
        },
      ),
    );
  }
}
