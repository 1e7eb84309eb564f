import type { Context } from '../../../request/context.js';
import { encodeNodeId } from '../../../domain/node-id.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import { formatTime } from '../../../domain/time.js';
import type { OrganizationRow, ShownPipelineRow, PipelineScheduleRow } from '../../../entities/database.js';
import { boolean, described, mapOf, nullable, object, reference, text, time, url, uuid } from '../../openapi/schema.js';
import { field, resource } from '../fields.js';
import { presentUserById } from '../organizations/user.js';
import { Urls } from '../urls.js';
import { existing, timeOrNull } from '../values.js';

interface ScheduleSource {
  context: Context;
  schedule: PipelineScheduleRow;
  organization: OrganizationRow;
  pipeline: ShownPipelineRow;
}

const pipelineSchema = object({
  id: described(uuid, 'ID of the pipeline.'),
  slug: described(text, 'Slug of the pipeline.'),
  url: described(url, 'API URL of the pipeline.'),
});

export const pipelineScheduleResource = resource<ScheduleSource>({
  id: field(uuid, 'ID of the schedule.', ({ schedule }) => schedule.id),
  graphql_id: field(text, 'ID of the schedule in the GraphQL API.', ({ schedule }) =>
    encodeNodeId('PipelineSchedule', schedule.id),
  ),
  url: field(url, 'API URL of the schedule.', ({ context, organization, pipeline, schedule }) =>
    Urls.of(context).schedule(organization, pipeline, schedule.id),
  ),
  label: field(text, 'Label of the schedule.', ({ schedule }) => schedule.label),
  cronline: field(
    text,
    'Times of the builds: a cron expression with an optional time zone, or a word such as `@daily`.',
    ({ schedule }) => schedule.cronline,
  ),
  message: field(nullable(text), 'Message of the builds.', ({ schedule }) => schedule.message),
  commit: field(text, 'Commit that is built.', ({ schedule }) => schedule.commit),
  branch: field(text, 'Branch that is built.', ({ schedule }) => schedule.branch),
  env: field(mapOf(text), 'Environment variables of the builds.', ({ schedule }) => schedule.env),
  enabled: field(boolean, 'Whether the schedule creates builds.', ({ schedule }) => schedule.enabled),
  next_build_at: field(nullable(time), 'Time of the next build; null while the schedule is disabled.', ({ schedule }) =>
    timeOrNull(schedule.nextBuildAt),
  ),
  failed_message: field(
    nullable(text),
    'Error of the last build if it could not be created.',
    ({ schedule }) => schedule.failedMessage,
  ),
  failed_at: field(nullable(time), 'Time of that error.', ({ schedule }) => timeOrNull(schedule.failedAt)),
  created_at: field(time, 'Time the schedule was created.', ({ schedule }) => formatTime(schedule.createdAt)),
  created_by: field(nullable(reference('User')), 'User who created the schedule.', ({ context, schedule }) =>
    presentUserById(context, schedule.createdById),
  ),
  pipeline: field(pipelineSchema, 'Pipeline that the schedule builds.', ({ context, organization, pipeline }) => ({
    id: pipeline.id,
    slug: pipeline.slug,
    url: Urls.of(context).pipeline(organization, pipeline).api,
  })),
});

export async function presentPipelineSchedule(context: Context, schedule: PipelineScheduleRow): Promise<JsonObject> {
  const [organization, pipeline] = await Promise.all([
    context.load.organization.load(schedule.organizationId),
    context.references.pipeline.load(schedule.pipelineId),
  ]);
  return pipelineScheduleResource.present({
    context,
    schedule,
    organization: existing(organization, 'an organization'),
    pipeline: existing(pipeline, 'a pipeline'),
  });
}
