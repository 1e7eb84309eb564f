import { Ctx, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import type { TeamRow } from '../../../entities/database.js';
import { managesAllTeams, managesTeam } from '../../../resources/organizations/teams/manage.js';
import type { GraphqlContext } from '../../context.js';
import { optional } from '../../server/options.js';
import { Permission, permission } from '../../permission.js';
import { Team } from './team.js';

@ObjectType({ description: 'Actions that the viewer may take on a team.' })
export class TeamPermissions {
  @Field(() => Permission, { ...optional, description: "Whether the viewer may see the team's pipelines." })
  pipelineView!: Permission;

  @Field(() => Permission, { ...optional, description: 'Whether the viewer may delete the team.' })
  teamDelete!: Permission;

  @Field(() => Permission, { ...optional, description: 'Whether the viewer may add members.' })
  teamMemberCreate!: Permission;

  @Field(() => Permission, {
    ...optional,
    description:
      'Whether the viewer may grant the team access to pipelines; maintainers need full access to the pipeline.',
  })
  teamPipelineCreate!: Permission;

  @Field(() => Permission, {
    ...optional,
    description: 'Whether the viewer may grant the team access to package registries; there are none here.',
  })
  teamRegistryCreate!: Permission;

  @Field(() => Permission, { ...optional, description: 'Whether the viewer may grant the team access to test suites.' })
  teamSuiteCreate!: Permission;

  @Field(() => Permission, { ...optional, description: 'Whether the viewer may update the team.' })
  teamUpdate!: Permission;
}

@Resolver(() => Team)
export class TeamPermissionsResolver {
  @FieldResolver(() => TeamPermissions, { description: 'Actions that the viewer may take on the team.' })
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
