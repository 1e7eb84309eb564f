import type { Context } from '../../request/context.js';
import type { JsonObject } from '../../domain/pipelines/steps/step.js';
import type { PipelineRow } from '../../entities/database.js';

/** Facts of a pipeline's event, which is named after the operation. */
interface PipelineChange {
  type: `pipeline.${string}` | `pipeline-trigger.${string}`;
  from?: 'active' | 'archived';
  to?: 'active' | 'archived';
  data?: JsonObject;
}

/** Records the event of a change of a pipeline. */
export function recordPipeline(
  context: Context,
  pipeline: Pick<PipelineRow, 'id' | 'organizationId'>,
  change: PipelineChange,
): void {
  context.record({
    organizationId: pipeline.organizationId,
    subject: 'pipeline',
    subjectId: pipeline.id,
    pipelineId: pipeline.id,
    ...change,
  });
}
