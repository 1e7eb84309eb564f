import type { Context } from '../../context.js';
import type { JsonObject } from '../../domain/steps/step.js';
import type { PipelineRow } from '../../entities/database.js';

/** What happened to a pipeline; the event is named after the operation. */
interface PipelineChange {
  type: `pipeline.${string}` | `pipeline-trigger.${string}`;
  from?: 'active' | 'archived';
  to?: 'active' | 'archived';
  data?: JsonObject;
}

/** Remembers a change of a pipeline for the event log. */
export function recordPipeline(context: Context, pipeline: Pick<PipelineRow, 'id' | 'organizationId'>, change: PipelineChange): void {
  context.record({ organizationId: pipeline.organizationId, subject: 'pipeline', subjectId: pipeline.id, pipelineId: pipeline.id, ...change });
}
