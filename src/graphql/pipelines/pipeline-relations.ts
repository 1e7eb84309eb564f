import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { PipelineRow } from '../../entities/database.js';
import { templateIsVisible } from '../../operations/pipeline-templates/find-template.js';
import { pipelineDefinition } from '../../operations/pipelines/definition.js';
import { pipelineFavorites } from '../../operations/pipelines/favorites.js';
import { pipelineLevels } from '../../operations/pipelines/levels.js';
import { listPipelineTeams } from '../../operations/pipelines/list-teams.js';
import { loadOrNull } from '../../loaders.js';
import { webUrls } from '../../web-urls.js';
import { envList } from '../builds/env.js';
import { Cluster } from '../clusters/cluster.js';
import { connectionValue } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { optional } from '../options.js';
import { Organization } from '../organizations/organization.js';
import { User } from '../organizations/user.js';
import { PipelineTemplate } from '../pipeline-templates/pipeline-template.js';
import { permission } from '../permission.js';
import { TeamPipelineArguments } from '../teams/team-arguments.js';
import { TeamPipelineConnection } from '../teams/team-pipeline.js';
import { stretchOf } from '../connections/arguments.js';
import { PipelinePermissions } from './pipeline-parts.js';
import { Pipeline } from './pipeline.js';
import { Repository } from './repository.js';

/** What a pipeline has to do with other things. */
@Resolver(() => Pipeline)
export class PipelineRelationsResolver {
  @FieldResolver(() => Organization)
  organization(@Root() pipeline: PipelineRow, @Ctx() context: GraphqlContext) {
    return context.load.organization.load(pipeline.organizationId);
  }

  @FieldResolver(() => User, optional)
  createdBy(@Root() pipeline: PipelineRow, @Ctx() context: GraphqlContext) {
    return context.follow(null, context.load.user, pipeline.createdById);
  }

  @FieldResolver(() => User, optional)
  archivedBy(@Root() pipeline: PipelineRow, @Ctx() context: GraphqlContext) {
    return context.follow(null, context.load.user, pipeline.archivedById);
  }

  @FieldResolver(() => Cluster, optional)
  cluster(@Root() pipeline: PipelineRow, @Ctx() context: GraphqlContext) {
    return context.follow('read_clusters', context.load.cluster, pipeline.clusterId);
  }

  @FieldResolver(() => Boolean, { description: 'Whether the viewer has marked it.' })
  async favorite(@Root() pipeline: PipelineRow, @Ctx() context: GraphqlContext): Promise<boolean> {
    return (await context.among(pipelineFavorites, 'pipelineIds', pipeline.id)) ?? false;
  }

  @FieldResolver(() => PipelinePermissions)
  async permissions(@Root() pipeline: PipelineRow, @Ctx() context: GraphqlContext): Promise<PipelinePermissions> {
    const level = await context.among(pipelineLevels, 'pipelineIds', pipeline.id);
    const manage = permission(level === 'manage_build_and_read');
    const build = permission(level === 'manage_build_and_read' || level === 'build_and_read');
    return { buildCreate: build, pipelineDelete: manage, pipelineFavorite: permission(level != null), pipelineScheduleCreate: manage, pipelineUpdate: manage };
  }

  @FieldResolver(() => [String], { ...optional, description: 'Environment that its steps give all jobs, as `KEY=value`; null where they cannot be read.' })
  async env(@Root() pipeline: PipelineRow, @Ctx() context: GraphqlContext): Promise<string[] | null> {
    const result = pipelineDefinition(pipeline, await loadOrNull(context.load.pipelineTemplate, pipeline.pipelineTemplateId));
    return result.ok ? envList(result.definition.env) : null;
  }

  @FieldResolver(() => PipelineTemplate, { ...optional, description: 'The template it runs, where the viewer may see it.' })
  async pipelineTemplate(@Root() pipeline: PipelineRow, @Ctx() context: GraphqlContext) {
    const template = await context.follow('read_pipeline_templates', context.load.pipelineTemplate, pipeline.pipelineTemplateId);
    return template && templateIsVisible(context.actor, template) ? template : null;
  }

  @FieldResolver(() => Repository, optional)
  repository(@Root() pipeline: PipelineRow): PipelineRow {
    return pipeline;
  }

  @FieldResolver(() => TeamPipelineConnection, { ...optional, description: 'Teams with access to it.' })
  async teams(@Root() pipeline: PipelineRow, @Ctx() context: GraphqlContext, @Args(() => TeamPipelineArguments) given: TeamPipelineArguments) {
    const { order, search } = given;
    return connectionValue(await context.perform(listPipelineTeams, { pipeline: { id: pipeline.id }, order, search, paging: stretchOf(given) }));
  }

  @FieldResolver(() => String, { ...optional, description: 'Where the source provider sends its deliveries; only for those who may edit the pipeline.' })
  async webhookURL(@Root() pipeline: PipelineRow, @Ctx() context: GraphqlContext): Promise<string | null> {
    return deliveryUrl(context, pipeline);
  }
}

/** The URL that starts builds, for those who may edit the pipeline with a token that may; else null. */
export async function deliveryUrl(context: GraphqlContext, pipeline: PipelineRow): Promise<string | null> {
  const level = await context.among(pipelineLevels, 'pipelineIds', pipeline.id);
  const may = level === 'manage_build_and_read' && context.hasScope('write_pipelines');
  return may ? webUrls.webhook(context.baseUrl, pipeline.webhookToken) : null;
}
