import { Ctx, Field, FieldResolver, ID, ObjectType, Resolver, Root } from 'type-graphql';
import { standing } from '../../auth/authorize.js';
import type { Row } from '../../entities/database.js';
import { connectionOf } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { PipelineAccessLevels } from '../enums.js';
import { Node } from '../node.js';
import { optional } from '../options.js';
import { User } from '../organizations/user.js';
import { Permission, permission } from '../permission.js';
import { Pipeline } from '../pipelines/pipeline.js';
import { DateTime } from '../scalars/date-time.js';
import { Team } from './team.js';

type AccessRow = Row<'team_pipelines'>;

@ObjectType({ description: 'What the viewer may do with the access of a team to a pipeline.' })
export class TeamPipelinePermissions {
  @Field(() => Permission, optional)
  teamPipelineDelete!: Permission;

  @Field(() => Permission, optional)
  teamPipelineUpdate!: Permission;
}

@ObjectType({ implements: Node, description: 'The access of a team to a pipeline.' })
export class TeamPipeline {
  @Field(() => ID, { name: 'uuid' })
  id!: string;

  @Field(() => PipelineAccessLevels)
  accessLevel!: string;

  @Field(() => DateTime)
  createdAt!: Date;
}

export const { Connection: TeamPipelineConnection } = connectionOf('TeamPipeline', () => TeamPipeline);

@Resolver(() => TeamPipeline)
export class TeamPipelineResolver {
  @FieldResolver(() => User, optional)
  createdBy(@Root() access: AccessRow, @Ctx() context: GraphqlContext) {
    return context.follow(null, context.load.user, access.createdById);
  }

  @FieldResolver(() => TeamPipelinePermissions)
  permissions(@Root() access: AccessRow, @Ctx() context: GraphqlContext): TeamPipelinePermissions {
    const admin = permission(standing(context.actor, access.organizationId) === 'admin');
    return { teamPipelineDelete: admin, teamPipelineUpdate: admin };
  }

  @FieldResolver(() => Pipeline, optional)
  pipeline(@Root() access: AccessRow, @Ctx() context: GraphqlContext) {
    return context.load.pipeline.load(access.pipelineId);
  }

  @FieldResolver(() => Team, optional)
  team(@Root() access: AccessRow, @Ctx() context: GraphqlContext) {
    return context.load.team.load(access.teamId);
  }
}
