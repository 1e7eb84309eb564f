import type { Context } from '../../context.js';
import { encodeNodeId } from '../../domain/node-id.js';
import type { JsonObject } from '../../domain/steps/step.js';
import { formatTime } from '../../domain/time.js';
import type { PipelineScheduleRow } from '../../entities/database.js';
import { Urls } from './urls.js';
import { presentUserById } from './user.js';
import { existing, timeOrNull } from './values.js';

/** A schedule of a pipeline (rest-facts 3.4). */
export async function presentPipelineSchedule(context: Context, schedule: PipelineScheduleRow): Promise<JsonObject> {
  const [organizationRow, pipelineRow, createdBy] = await Promise.all([
    context.load.organization.load(schedule.organizationId),
    context.load.pipeline.load(schedule.pipelineId),
    presentUserById(context, schedule.createdById),
  ]);
  const organization = existing(organizationRow, 'an organization');
  const pipeline = existing(pipelineRow, 'a pipeline');
  const urls = Urls.of(context);
  return {
    id: schedule.id,
    graphql_id: encodeNodeId('PipelineSchedule', schedule.id),
    url: urls.schedule(organization, pipeline, schedule.id),
    label: schedule.label,
    cronline: schedule.cronline,
    message: schedule.message,
    commit: schedule.commit,
    branch: schedule.branch,
    env: schedule.env,
    enabled: schedule.enabled,
    next_build_at: timeOrNull(schedule.nextBuildAt),
    failed_message: schedule.failedMessage,
    failed_at: timeOrNull(schedule.failedAt),
    created_at: formatTime(schedule.createdAt),
    created_by: createdBy,
    pipeline: { id: pipeline.id, slug: pipeline.slug, url: urls.pipeline(organization, pipeline).api },
  };
}
