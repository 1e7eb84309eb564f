import type { GraphQLResolveInfo } from 'graphql';
import { Args, Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import type { ShownPipelineRow } from '../../entities/database.js';
import { templateIsVisible } from '../../resources/pipelines/templates/find-template.js';
import { pipelineDefinition } from '../../engine/new-builds/parse-definition.js';
import { pipelineFavorites } from '../../operations/pipelines/favorites.js';
import { pipelineLevels } from '../../operations/pipelines/list-access-levels.js';
import { listPipelineTeams } from '../../operations/pipelines/list-teams.js';
import { onTheWay } from '../../core/operation.js';
import { loadOrNull } from '../../loaders/batch-loader.js';
import { webUrls } from '../../services/web-urls.js';
import { envList } from '../builds/env.js';
import { Cluster } from '../agents/clusters/cluster.js';
import { connectionValue } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { optional } from '../server/options.js';
import { Organization } from '../organizations/organization.js';
import { User } from '../organizations/user.js';
import { PipelineTemplate } from './templates/pipeline-template.js';
import { permission } from '../permission.js';
import { TeamPipelineArguments } from '../organizations/teams/team-arguments.js';
import { TeamPipelineConnection } from '../organizations/teams/team-pipeline.js';
import { stretchOf } from '../connections/arguments.js';
import { PipelinePermissions } from './pipeline-parts.js';
import { Pipeline } from './pipeline.js';
import { webhookTokenOf } from '../../resources/pipelines/url-token.js';
import { ReadBy } from '../execution/on-the-way.js';

/** Fields of a pipeline that lead to other types. */
@Resolver(() => Pipeline)
export class PipelineRelationsResolver {
  @FieldResolver(() => Organization, { description: 'Organization of the pipeline.' })
  organization(@Root() pipeline: ShownPipelineRow, @Ctx() context: GraphqlContext) {
    return context.load.organization.load(pipeline.organizationId);
  }

  @FieldResolver(() => User, { ...optional, description: 'User who created the pipeline; null when unknown.' })
  createdBy(@Root() pipeline: ShownPipelineRow, @Ctx() context: GraphqlContext) {
    return context.loadReference(null, context.load.user, pipeline.createdById);
  }

  @FieldResolver(() => User, {
    ...optional,
    description: 'User who archived the pipeline; null when the pipeline is not archived.',
  })
  archivedBy(@Root() pipeline: ShownPipelineRow, @Ctx() context: GraphqlContext) {
    return context.loadReference(null, context.load.user, pipeline.archivedById);
  }

  @FieldResolver(() => Cluster, { ...optional, description: 'Cluster of the pipeline; null without one.' })
  cluster(@Root() pipeline: ShownPipelineRow, @Ctx() context: GraphqlContext, @Info() info: GraphQLResolveInfo) {
    return context.loadReference('read_clusters', context.load.cluster, pipeline.clusterId, info);
  }

  @FieldResolver(() => Boolean, { description: 'Whether the pipeline is a favorite of the viewer.' })
  async favorite(@Root() pipeline: ShownPipelineRow, @Ctx() context: GraphqlContext): Promise<boolean> {
    return (await context.performInBatch(pipelineFavorites, { pipelineIds: pipeline.id })) ?? false;
  }

  @FieldResolver(() => PipelinePermissions, { description: 'Permissions of the viewer for the pipeline.' })
  async permissions(@Root() pipeline: ShownPipelineRow, @Ctx() context: GraphqlContext): Promise<PipelinePermissions> {
    const level = await context.performInBatch(pipelineLevels, { pipelineIds: pipeline.id });
    const manage = permission(level === 'manage_build_and_read');
    const build = permission(level === 'manage_build_and_read' || level === 'build_and_read');
    return {
      buildCreate: build,
      pipelineDelete: manage,
      pipelineFavorite: permission(level != null),
      pipelineScheduleCreate: manage,
      pipelineUpdate: manage,
    };
  }

  @FieldResolver(() => [String], {
    ...optional,
    description:
      'Environment that the steps of the pipeline give every job, as `KEY=value`; null when the steps are invalid.',
  })
  async env(@Root() pipeline: ShownPipelineRow, @Ctx() context: GraphqlContext): Promise<string[] | null> {
    const steps = await context.load.longTexts.stepsOf(pipeline);
    if (!steps) return null;
    const result = await pipelineDefinition(
      context,
      { ...pipeline, ...steps },
      await loadOrNull(context.load.pipelineTemplate, pipeline.pipelineTemplateId),
    );
    return result.ok ? envList(result.definition.env) : null;
  }

  @FieldResolver(() => PipelineTemplate, {
    ...optional,
    description: 'Template that the pipeline runs; null without one or when the template is hidden.',
  })
  async pipelineTemplate(
    @Root() pipeline: ShownPipelineRow,
    @Ctx() context: GraphqlContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const template = await context.loadReference(
      'read_pipeline_templates',
      context.load.pipelineTemplate,
      pipeline.pipelineTemplateId,
      info,
    );
    return template && templateIsVisible(context.actor, template) ? template : null;
  }

  @ReadBy(listPipelineTeams)
  @FieldResolver(() => TeamPipelineConnection, { ...optional, description: 'Teams with access to the pipeline.' })
  async teams(
    @Root() pipeline: ShownPipelineRow,
    @Ctx() context: GraphqlContext,
    @Args(() => TeamPipelineArguments) args: TeamPipelineArguments,
  ) {
    const { order, search } = args;
    return connectionValue(
      await context.performInBatch(
        listPipelineTeams,
        { pipeline: { id: pipeline.id } },
        { order, search, paging: stretchOf(args) },
      ),
    );
  }

  @FieldResolver(() => String, {
    ...optional,
    description: 'URL for webhook deliveries of the source provider; null without permission to edit the pipeline.',
  })
  async webhookURL(@Root() pipeline: ShownPipelineRow, @Ctx() context: GraphqlContext): Promise<string | null> {
    return deliveryUrl(context, pipeline);
  }
}

/** URL for webhook deliveries; null unless viewer and token may edit the pipeline. */
export async function deliveryUrl(context: GraphqlContext, pipeline: ShownPipelineRow): Promise<string | null> {
  if (!context.hasScope('write_pipelines')) return null;
  const level = await context.performInBatch(onTheWay(pipelineLevels), { pipelineIds: pipeline.id });
  return level === 'manage_build_and_read'
    ? webUrls.webhook(context.baseUrl, webhookTokenOf(context.services, pipeline))
    : null;
}
