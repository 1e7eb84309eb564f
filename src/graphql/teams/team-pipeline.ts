import { Ctx, Field, FieldResolver, ID, ObjectType, Resolver, Root } from 'type-graphql';
import type { Row } from '../../entities/database.js';
import { pipelineLevels } from '../../operations/pipelines/levels.js';
import { managesAllTeams, managesTeam } from '../../operations/teams/manage.js';
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

export const { Connection: TeamPipelineConnection, Edge: TeamPipelineEdge } = connectionOf('TeamPipeline', () => TeamPipeline);

@Resolver(() => TeamPipeline)
export class TeamPipelineResolver {
  @FieldResolver(() => User, optional)
  createdBy(@Root() access: AccessRow, @Ctx() context: GraphqlContext) {
    return context.follow(null, context.load.user, access.createdById);
  }

  @FieldResolver(() => TeamPipelinePermissions)
  async permissions(@Root() access: AccessRow, @Ctx() context: GraphqlContext): Promise<TeamPipelinePermissions> {
    const team = { id: access.teamId, organizationId: access.organizationId };
    const share = permission(managesAllTeams(context, access.organizationId) || ((await managesTeam(context, team)) && (await managesPipeline(context, access.pipelineId))));
    return { teamPipelineDelete: share, teamPipelineUpdate: share };
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

/** Whether the viewer has full access to a pipeline, as far as their token may know. */
async function managesPipeline(context: GraphqlContext, pipelineId: string): Promise<boolean> {
  return context.hasScope('read_pipelines') && (await context.among(pipelineLevels, 'pipelineIds', pipelineId)) === 'manage_build_and_read';
}
