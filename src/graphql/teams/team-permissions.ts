import { Ctx, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import { standing } from '../../auth/authorize.js';
import type { TeamRow } from '../../entities/database.js';
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
  permissions(@Root() team: TeamRow, @Ctx() context: GraphqlContext): TeamPermissions {
    const admin = permission(standing(context.actor, team.organizationId) === 'admin');
    return {
      pipelineView: permission(true),
      teamDelete: admin,
      teamMemberCreate: admin,
      teamPipelineCreate: admin,
      teamRegistryCreate: admin,
      teamSuiteCreate: admin,
      teamUpdate: admin,
    };
  }
}
