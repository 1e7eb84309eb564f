import { Ctx, Field, FieldResolver, ID, ObjectType, Resolver, Root } from 'type-graphql';
import type { Row } from '../../entities/database.js';
import { managesTeam } from '../../operations/teams/manage.js';
import { connectionOf } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { TeamMemberRole } from '../enums.js';
import { Node } from '../node.js';
import { optional } from '../options.js';
import { User } from '../organizations/user.js';
import { Permission, permission } from '../permission.js';
import { DateTime } from '../scalars/date-time.js';
import { Team } from './team.js';

type MemberRow = Row<'team_members'>;

@ObjectType({ description: 'What the viewer may do with a membership of a team.' })
export class TeamMemberPermissions {
  @Field(() => Permission, optional)
  teamMemberDelete!: Permission;

  @Field(() => Permission, optional)
  teamMemberUpdate!: Permission;
}

@ObjectType({ implements: Node, description: 'The membership of a person in a team.' })
export class TeamMember {
  @Field(() => ID, { name: 'uuid' })
  id!: string;

  @Field(() => TeamMemberRole)
  role!: string;

  @Field(() => DateTime)
  createdAt!: Date;
}

export const { Connection: TeamMemberConnection, Edge: TeamMemberEdge } = connectionOf('TeamMember', () => TeamMember);

@Resolver(() => TeamMember)
export class TeamMemberResolver {
  @FieldResolver(() => User, optional)
  createdBy(@Root() member: MemberRow, @Ctx() context: GraphqlContext) {
    return context.follow(null, context.load.user, member.createdById);
  }

  @FieldResolver(() => TeamMemberPermissions)
  async permissions(@Root() member: MemberRow, @Ctx() context: GraphqlContext): Promise<TeamMemberPermissions> {
    const manage = permission(await managesTeam(context, { id: member.teamId, organizationId: member.organizationId }));
    return { teamMemberDelete: manage, teamMemberUpdate: manage };
  }

  @FieldResolver(() => Team, optional)
  team(@Root() member: MemberRow, @Ctx() context: GraphqlContext) {
    return context.load.team.load(member.teamId);
  }

  @FieldResolver(() => User, optional)
  user(@Root() member: MemberRow, @Ctx() context: GraphqlContext) {
    return context.load.user.load(member.userId);
  }
}
