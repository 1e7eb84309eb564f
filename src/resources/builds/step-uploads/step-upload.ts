import type { Context } from '../../../request/context.js';
import type { StepUploadRow } from '../../../entities/database.js';

/** What became of an upload, for the agent that sent it. */
export type StepUploadOutcome = Pick<StepUploadRow, 'uuid' | 'state' | 'message'>;

/** Finds an upload of a job by the uuid that its agent chose. */
export async function findStepUpload(context: Context, jobId: string, uuid: string): Promise<StepUploadOutcome | null> {
  const row = await context.db
    .selectFrom('step_uploads')
    .select(['uuid', 'state', 'message'])
    .where('jobId', '=', jobId)
    .where('uuid', '=', uuid)
    .executeTakeFirst();
  return row ?? null;
}
