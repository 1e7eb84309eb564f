import type { GraphQLResolveInfo } from 'graphql';
import { Args, Ctx, Field, FieldResolver, ID, Info, ObjectType, Resolver, Root } from 'type-graphql';
import type { Row, TeamRow } from '../../../entities/database.js';
import { pipelineLevels } from '../../../operations/pipelines/list-access-levels.js';
import { managesAllTeams, managesTeam } from '../../../resources/organizations/teams/manage.js';
import { connectionOf, connectionValue } from '../../connections/connection.js';
import type { GraphqlContext } from '../../context.js';
import { PipelineAccessLevels } from '../../enums.js';
import { Node } from '../../nodes/node.js';
import { optional } from '../../server/options.js';
import { User } from '../user.js';
import { Permission, permission } from '../../permission.js';
import { Pipeline } from '../../pipelines/pipeline.js';
import { DateTime } from '../../scalars/date-time.js';
import { Team } from './team.js';
import { listTeamPipelines } from '../../../operations/organizations/team-pipelines/list.js';
import { stretchOf } from '../../connections/arguments.js';
import { TeamPipelineArguments } from './team-arguments.js';

type AccessRow = Row<'team_pipelines'>;

@ObjectType({ description: "Actions that the viewer may take on a team's access to a pipeline." })
export class TeamPipelinePermissions {
  @Field(() => Permission, { ...optional, description: 'Whether the viewer may revoke the access.' })
  teamPipelineDelete!: Permission;

  @Field(() => Permission, { ...optional, description: 'Whether the viewer may change the access level.' })
  teamPipelineUpdate!: Permission;
}

@ObjectType({ implements: Node, description: 'Access of a team to a pipeline.' })
export class TeamPipeline {
  @Field(() => ID, { name: 'uuid', description: 'UUID of the access.' })
  id!: string;

  @Field(() => PipelineAccessLevels, { description: "Access level of the team's members." })
  accessLevel!: string;

  @Field(() => DateTime, { description: 'Time the access was granted.' })
  createdAt!: Date;
}

export const { Connection: TeamPipelineConnection, Edge: TeamPipelineEdge } = connectionOf(
  'TeamPipeline',
  () => TeamPipeline,
);

@Resolver(() => TeamPipeline)
export class TeamPipelineResolver {
  @FieldResolver(() => User, { ...optional, description: 'User who granted the access; null if no user did.' })
  createdBy(@Root() access: AccessRow, @Ctx() context: GraphqlContext) {
    return context.loadReference(null, context.load.user, access.createdById);
  }

  @FieldResolver(() => TeamPipelinePermissions, { description: 'Actions that the viewer may take on the access.' })
  async permissions(@Root() access: AccessRow, @Ctx() context: GraphqlContext): Promise<TeamPipelinePermissions> {
    const team = { id: access.teamId, organizationId: access.organizationId };
    const share = permission(
      managesAllTeams(context, access.organizationId) ||
        ((await managesTeam(context, team)) && (await managesPipeline(context, access.pipelineId))),
    );
    return { teamPipelineDelete: share, teamPipelineUpdate: share };
  }

  @FieldResolver(() => Pipeline, {
    ...optional,
    description: 'Pipeline that the team has access to; null if the viewer may not see it.',
  })
  pipeline(@Root() access: AccessRow, @Ctx() context: GraphqlContext, @Info() info: GraphQLResolveInfo) {
    return context.loadReference('read_pipelines', context.references.pipeline, access.pipelineId, info);
  }

  @FieldResolver(() => Team, { ...optional, description: 'Team that has access.' })
  team(@Root() access: AccessRow, @Ctx() context: GraphqlContext) {
    return context.load.team.load(access.teamId);
  }
}

/** Whether the viewer has full access to a pipeline, as far as their token may know. */
async function managesPipeline(context: GraphqlContext, pipelineId: string): Promise<boolean> {
  return (
    context.hasScope('read_pipelines') &&
    (await context.performInBatch(pipelineLevels, { pipelineIds: pipelineId })) === 'manage_build_and_read'
  );
}

@Resolver(() => Team)
export class PipelinesOfTeamResolver {
  @FieldResolver(() => TeamPipelineConnection, { ...optional, description: 'Pipelines that the team has access to.' })
  async pipelines(
    @Root() team: TeamRow,
    @Ctx() context: GraphqlContext,
    @Args(() => TeamPipelineArguments) args: TeamPipelineArguments,
  ) {
    return connectionValue(
      await context.performInBatch(
        listTeamPipelines,
        { team: { id: team.id } },
        {
          search: args.search,
          order: args.order ?? undefined,
          paging: stretchOf(args),
        },
      ),
    );
  }
}
