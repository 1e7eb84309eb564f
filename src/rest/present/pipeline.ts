import type { Context } from '../../context.js';
import { encodeNodeId } from '../../domain/node-id.js';
import { presentSteps } from '../../domain/steps/present-steps.js';
import type { JsonObject, PipelineDefinition } from '../../domain/steps/step.js';
import { formatTime } from '../../domain/time.js';
import type { OrganizationRow, PipelineRow } from '../../entities/database.js';
import { loadOrNull } from '../../loaders.js';
import { pipelineDefinition } from '../../operations/pipelines/definition.js';
import { mayManage } from '../../operations/pipelines/may-manage.js';
import { Urls } from './urls.js';
import { presentUserById } from './user.js';
import { existing, timeOrNull } from './values.js';

const presented = new WeakMap<PipelineRow, { context: Context; reply: Promise<JsonObject> }>();

/**
 * A pipeline, whole, also where a build holds it (compatibility 17 and 21; key order of rest-facts 9.5, then the later
 * ones). A row that many builds of one reply share is presented once.
 */
export function presentPipeline(context: Context, pipeline: PipelineRow): Promise<JsonObject> {
  const known = presented.get(pipeline);
  if (known?.context === context) return known.reply;
  const reply = presentRow(context, pipeline);
  presented.set(pipeline, { context, reply });
  return reply;
}

async function presentRow(context: Context, pipeline: PipelineRow): Promise<JsonObject> {
  const organization = existing(await context.load.organization.load(pipeline.organizationId), 'an organization');
  const [counts, createdBy, definition, webhook] = await Promise.all([
    context.load.pipelineCounts.load(pipeline.id),
    presentUserById(context, pipeline.createdById),
    storedDefinition(context, pipeline),
    webhookUrl(context, organization, pipeline),
  ]);
  const urls = Urls.of(context);
  const { api, web } = urls.pipeline(organization, pipeline);
  return {
    id: pipeline.id,
    graphql_id: encodeNodeId('Pipeline', pipeline.id),
    url: api,
    web_url: web,
    name: pipeline.name,
    description: pipeline.description,
    slug: pipeline.slug,
    repository: pipeline.repository,
    cluster_id: pipeline.clusterId,
    pipeline_template_uuid: pipeline.pipelineTemplateId,
    branch_configuration: pipeline.branchConfiguration,
    default_branch: pipeline.defaultBranch,
    skip_queued_branch_builds: pipeline.skipQueuedBranchBuilds,
    skip_queued_branch_builds_filter: pipeline.skipQueuedBranchBuildsFilter,
    cancel_running_branch_builds: pipeline.cancelRunningBranchBuilds,
    cancel_running_branch_builds_filter: pipeline.cancelRunningBranchBuildsFilter,
    allow_rebuilds: pipeline.allowRebuilds,
    provider: { id: pipeline.providerId, settings: pipeline.providerSettings, webhook_url: webhook },
    builds_url: `${api}/builds`,
    badge_url: urls.badge(pipeline.badgeToken),
    created_by: createdBy,
    created_at: formatTime(pipeline.createdAt),
    archived_at: timeOrNull(pipeline.archivedAt),
    env: definition?.env ?? {},
    scheduled_builds_count: counts.scheduledBuildsCount,
    running_builds_count: counts.runningBuildsCount,
    scheduled_jobs_count: counts.scheduledJobsCount,
    running_jobs_count: counts.runningJobsCount,
    waiting_jobs_count: counts.waitingJobsCount,
    visibility: pipeline.visibility,
    tags: pipeline.tags,
    emoji: pipeline.emoji,
    color: pipeline.color,
    ...(pipeline.configuration === null ? {} : { configuration: pipeline.configuration }),
    steps: definition ? presentSteps(definition) : [],
    default_command_step_timeout: pipeline.defaultTimeoutInMinutes,
    maximum_command_step_timeout: pipeline.maximumTimeoutInMinutes,
    ...(pipeline.cloneMirrorUrl === null ? {} : { clone_mirror_url: pipeline.cloneMirrorUrl }),
  };
}

/** The steps as stored; null where they cannot be read, so that one bad row stops no list (promises.md, Faults). */
async function storedDefinition(context: Context, pipeline: PipelineRow): Promise<PipelineDefinition | null> {
  const template = await loadOrNull(context.load.pipelineTemplate, pipeline.pipelineTemplateId);
  const result = pipelineDefinition(pipeline, template);
  return result.ok ? result.definition : null;
}

/** Empty unless the caller may edit the pipeline and the token may write pipelines (rest-facts 1.7). */
async function webhookUrl(context: Context, organization: OrganizationRow, pipeline: PipelineRow): Promise<string> {
  const { actor } = context;
  if (actor.kind === 'user' && !actor.scopes.has('write_pipelines')) return '';
  return (await mayManage(context, organization, pipeline)) ? Urls.of(context).webhook(pipeline.webhookToken) : '';
}
