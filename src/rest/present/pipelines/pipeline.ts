import type { Context } from '../../../request/context.js';
import { encodeNodeId } from '../../../domain/node-id.js';
import { type ProviderSettings, shownSettings } from '../../../domain/integrations/provider-settings.js';
import { presentSteps } from '../../../domain/pipelines/steps/present-steps.js';
import type { JsonObject, PipelineDefinition } from '../../../domain/pipelines/steps/step.js';
import { formatTime } from '../../../domain/time.js';
import type { OrganizationRow, ShownPipelineRow } from '../../../entities/database.js';
import { loadOrNull } from '../../../loaders/batch-loader.js';
import { type DefinitionSource, pipelineDefinition } from '../../../engine/new-builds/parse-definition.js';
import { mayManage } from '../../../resources/pipelines/may-manage.js';
import { badgeTokenOf, webhookTokenOf } from '../../../resources/pipelines/url-token.js';
import {
  arrayOf,
  boolean,
  described,
  enumOf,
  integer,
  mapOf,
  nullable,
  object,
  reference,
  text,
  time,
  url,
  uuid,
} from '../../openapi/schema.js';
import { freshPart, keptPart, showPart } from '../../parts/part.js';
import { unrecorded } from '../../parts/recording.js';
import { field, optionalField, resource } from '../fields.js';
import { presentUserById } from '../organizations/user.js';
import { pipelineRetentionSchema, presentRetention } from '../retention.js';
import { type Links, Urls } from '../urls.js';
import { existing, timeOrNull } from '../values.js';

interface PipelineSource {
  context: Context;
  pipeline: ShownPipelineRow;
  configuration: string | null;
  links: Links;
  /** Null if the stored steps cannot be read. */
  definition: PipelineDefinition | null;
  counts: Awaited<ReturnType<Context['load']['pipelineCounts']['load']>>;
  webhookUrl: string;
}

const providerSchema = object({
  id: described(text, 'Identifier of the source provider, such as `github`.'),
  settings: described(
    reference('ProviderSettings'),
    'Settings that decide which events create builds and which statuses are sent.',
  ),
  webhook_url: described(
    text,
    'URL that the provider delivers events to. Empty unless the caller may edit the pipeline and the token has ' +
      'the `write_pipelines` scope.',
  ),
});

export const pipelineResource = resource<PipelineSource>({
  id: field(uuid, 'ID of the pipeline.', ({ pipeline }) => pipeline.id),
  graphql_id: field(text, 'ID of the pipeline in the GraphQL API.', ({ pipeline }) =>
    encodeNodeId('Pipeline', pipeline.id),
  ),
  url: field(url, 'API URL of the pipeline.', ({ links }) => links.api),
  web_url: field(url, 'URL of the page of the pipeline.', ({ links }) => links.web),
  name: field(text, 'Name of the pipeline.', ({ pipeline }) => pipeline.name),
  description: field(nullable(text), 'Description of the pipeline.', ({ pipeline }) => pipeline.description),
  slug: field(text, 'Slug of the pipeline, unique in its organization.', ({ pipeline }) => pipeline.slug),
  repository: field(text, 'URL of the Git repository.', ({ pipeline }) => pipeline.repository),
  cluster_id: field(nullable(uuid), 'ID of the cluster that runs the jobs.', ({ pipeline }) => pipeline.clusterId),
  pipeline_template_uuid: field(
    nullable(uuid),
    'ID of the pipeline template that gives the steps.',
    ({ pipeline }) => pipeline.pipelineTemplateId,
  ),
  branch_configuration: field(
    nullable(text),
    'Branches that are built, as patterns separated by spaces; null for all.',
    ({ pipeline }) => pipeline.branchConfiguration,
  ),
  default_branch: field(text, 'Default branch of the repository.', ({ pipeline }) => pipeline.defaultBranch),
  skip_queued_branch_builds: field(
    boolean,
    'Whether a new build skips builds of the same branch that have not started.',
    ({ pipeline }) => pipeline.skipQueuedBranchBuilds,
  ),
  skip_queued_branch_builds_filter: field(
    nullable(text),
    'Branches that `skip_queued_branch_builds` applies to, as patterns; null for all.',
    ({ pipeline }) => pipeline.skipQueuedBranchBuildsFilter,
  ),
  cancel_running_branch_builds: field(
    boolean,
    'Whether a new build cancels running builds of the same branch.',
    ({ pipeline }) => pipeline.cancelRunningBranchBuilds,
  ),
  cancel_running_branch_builds_filter: field(
    nullable(text),
    'Branches that `cancel_running_branch_builds` applies to, as patterns; null for all.',
    ({ pipeline }) => pipeline.cancelRunningBranchBuildsFilter,
  ),
  allow_rebuilds: field(boolean, 'Whether builds can be rebuilt.', ({ pipeline }) => pipeline.allowRebuilds),
  provider: field(providerSchema, 'Source provider of the repository.', ({ pipeline, webhookUrl }) => ({
    id: pipeline.providerId,
    settings: shownSettings(pipeline.providerId, pipeline.providerSettings as ProviderSettings),
    webhook_url: webhookUrl,
  })),
  builds_url: field(url, 'API URL of the builds of the pipeline.', ({ links }) => `${links.api}/builds`),
  badge_url: field(url, 'URL of the status badge; needs no token.', ({ context, pipeline }) =>
    Urls.of(context).badge(badgeTokenOf(context.services, pipeline)),
  ),
  created_by: field(nullable(reference('User')), 'User who created the pipeline.', ({ context, pipeline }) =>
    presentUserById(context, pipeline.createdById),
  ),
  created_at: field(time, 'Time the pipeline was created.', ({ pipeline }) => formatTime(pipeline.createdAt)),
  archived_at: field(nullable(time), 'Time the pipeline was archived.', ({ pipeline }) =>
    timeOrNull(pipeline.archivedAt),
  ),
  env: field(mapOf(text), 'Environment variables of every build.', ({ definition }) => definition?.env ?? {}),
  scheduled_builds_count: field(integer, 'Number of scheduled builds.', ({ counts }) => counts.scheduledBuildsCount),
  running_builds_count: field(integer, 'Number of running builds.', ({ counts }) => counts.runningBuildsCount),
  scheduled_jobs_count: field(integer, 'Number of scheduled jobs.', ({ counts }) => counts.scheduledJobsCount),
  running_jobs_count: field(integer, 'Number of running jobs.', ({ counts }) => counts.runningJobsCount),
  waiting_jobs_count: field(
    integer,
    'Number of jobs that wait for other steps.',
    ({ counts }) => counts.waitingJobsCount,
  ),
  visibility: field(
    enumOf('private', 'public'),
    'Whether the pipeline is `private` or `public`.',
    ({ pipeline }) => pipeline.visibility,
  ),
  tags: field(arrayOf(text), 'Tags of the pipeline.', ({ pipeline }) => pipeline.tags),
  retention: field(
    pipelineRetentionSchema,
    'Retention policy of the builds; null for that of the organization.',
    ({ pipeline }) => presentRetention(pipeline.retention),
  ),
  emoji: field(nullable(text), 'Emoji of the pipeline, such as `:rocket:`.', ({ pipeline }) => pipeline.emoji),
  color: field(nullable(text), 'Color of the pipeline as a hexadecimal code.', ({ pipeline }) => pipeline.color),
  configuration: optionalField(
    text,
    'Steps of the pipeline as YAML, as they were stored; absent if the steps were given as `steps`.',
    ({ configuration }) => configuration ?? undefined,
  ),
  steps: field(arrayOf(reference('Step')), 'Steps of the pipeline.', ({ definition }) =>
    definition ? presentSteps(definition) : [],
  ),
  default_command_step_timeout: field(
    nullable(integer),
    'Timeout of command steps without one, in minutes; null or 0 if there is none.',
    ({ pipeline }) => pipeline.defaultTimeoutInMinutes,
  ),
  maximum_command_step_timeout: field(
    nullable(integer),
    'Longest timeout that a command step can have, in minutes; null or 0 if there is none.',
    ({ pipeline }) => pipeline.maximumTimeoutInMinutes,
  ),
  clone_mirror_url: optionalField(
    text,
    'URL of a mirror that agents clone from; absent if there is none.',
    ({ pipeline }) => pipeline.cloneMirrorUrl ?? undefined,
  ),
});

interface PipelinePartArgs {
  id: string;
  /** Whether the reply has the URL of the webhook, which is a credential. */
  showsWebhook: boolean;
}

/** A pipeline, whole also inside a build. */
export const pipelinePart = keptPart<PipelinePartArgs, ShownPipelineRow>(
  'pipeline',
  'pipelines',
  async (context, args, row) => {
    const pipeline = existing(row ?? (await context.references.pipeline.load(args.id)), 'a pipeline');
    const organization = existing(await context.load.organization.load(pipeline.organizationId), 'an organization');
    const [counts, stored] = await Promise.all([
      context.load.pipelineCounts.load(pipeline.id),
      // Of the same row, whose version is noted.
      unrecorded(context).load.longTexts.stepsOf(pipeline),
    ]);
    const steps = existing(stored, 'a pipeline');
    const definition = await storedDefinition(context, { ...pipeline, ...steps });
    const links = Urls.of(context).pipeline(organization, pipeline);
    const webhookUrl = args.showsWebhook ? Urls.of(context).webhook(webhookTokenOf(context.services, pipeline)) : '';
    return pipelineResource.present({
      context,
      pipeline,
      configuration: steps.configuration,
      links,
      definition,
      counts,
      webhookUrl,
    });
  },
);

const presented = new WeakMap<ShownPipelineRow, { context: Context; reply: Promise<JsonObject> }>();

/** Presents a pipeline. A row that many builds of one reply share is presented once. */
export function presentPipeline(context: Context, pipeline: ShownPipelineRow): Promise<JsonObject> {
  const known = presented.get(pipeline);
  if (known?.context === context) return known.reply;
  const reply = presentRow(context, pipeline);
  presented.set(pipeline, { context, reply });
  return reply;
}

async function presentRow(context: Context, pipeline: ShownPipelineRow): Promise<JsonObject> {
  const organization = existing(await context.load.organization.load(pipeline.organizationId), 'an organization');
  const showsWebhook = await maySeeWebhook(context, organization, pipeline);
  return showPart(context, pipelinePart, { id: pipeline.id, showsWebhook }, pipeline);
}

/** The pipeline of a build that the caller may see: which form of it depends on the caller. */
export const pipelineOfBuildPart = freshPart<{ id: string }>('pipeline of a build', async (context, { id }) =>
  presentPipeline(context, existing(await context.references.pipeline.load(id), 'a pipeline')),
);

/** Reads the stored steps; null if they cannot be read, so that one bad row does not fail a whole list. */
async function storedDefinition(context: Context, pipeline: DefinitionSource): Promise<PipelineDefinition | null> {
  const template = await loadOrNull(context.load.pipelineTemplate, pipeline.pipelineTemplateId);
  const result = await pipelineDefinition(unrecorded(context), pipeline, template);
  return result.ok ? result.definition : null;
}

/** Whether caller and token may edit the pipeline, and so see the URL of its webhook, which is a credential. */
async function maySeeWebhook(
  context: Context,
  organization: OrganizationRow,
  pipeline: ShownPipelineRow,
): Promise<boolean> {
  const { actor } = context;
  if (actor.kind === 'user' && !actor.scopes.has('write_pipelines')) return false;
  return mayManage(context, organization, pipeline);
}
