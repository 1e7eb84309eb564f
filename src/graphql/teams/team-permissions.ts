import { Ctx, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import type { TeamRow } from '../../entities/database.js';
import { managesAllTeams, managesTeam } from '../../operations/teams/manage.js';
import type { GraphqlContext } from '../context.js';
import { optional } from '../options.js';
import { Permission, permission } from '../permission.js';
import { Team } from './team.js';

@ObjectType({ description: 'What the viewer may do with a team.' })
export class TeamPermissions {
  @Field(() => Permission, optional)
  pipelineView!: Permission;

  @Field(() => Permission, optional)
  teamDelete!: Permission;

  @Field(() => Permission, optional)
  teamMemberCreate!: Permission;

  @Field(() => Permission, optional)
  teamPipelineCreate!: Permission;

  @Field(() => Permission, optional)
  teamRegistryCreate!: Permission;

  @Field(() => Permission, optional)
  teamSuiteCreate!: Permission;

  @Field(() => Permission, optional)
  teamUpdate!: Permission;
}

@Resolver(() => Team)
export class TeamPermissionsResolver {
  @FieldResolver(() => TeamPermissions)
  async permissions(@Root() team: TeamRow, @Ctx() context: GraphqlContext): Promise<TeamPermissions> {
    const admin = permission(managesAllTeams(context, team.organizationId));
    const manage = permission(await managesTeam(context, team));
    return {
      pipelineView: permission(true),
      teamDelete: admin,
      teamMemberCreate: manage,
      // Of a pipeline that a maintainer has full access to.
      teamPipelineCreate: manage,
      teamRegistryCreate: admin,
      teamSuiteCreate: manage,
      teamUpdate: admin,
    };
  }
}
