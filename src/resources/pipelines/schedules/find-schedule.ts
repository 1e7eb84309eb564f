import { z } from 'zod';
import { standing } from '../../../auth/authorize.js';
import type { Context } from '../../../request/context.js';
import { idFromEither } from '../../../domain/node-id.js';
import type { PipelineScheduleRow } from '../../../entities/database.js';
import { findPipeline } from '../../../core/find.js';
import type { PipelineSubject } from '../../../core/subject.js';

const word = z.string().max(300);

/** Under its pipeline, or by uuid or node id alone. */
export const scheduleInput = z.object({
  pipelineSchedule: z.union([z.object({ organization: word, pipeline: word, id: word }), z.object({ id: word })]),
});

export interface ScheduleSubject extends PipelineSubject {
  pipelineSchedule: PipelineScheduleRow;
}

/**
 * Finds a schedule whose pipeline the caller may see as a member; visitors must not see the environment that a schedule
 * passes to its builds. `lock` takes its row lock, under which its next build is created.
 */
export async function findSchedule(
  context: Context,
  { pipelineSchedule: address }: z.output<typeof scheduleInput>,
  { lock = false } = {},
): Promise<ScheduleSubject | null> {
  const id = idFromEither(address.id, ['PipelineSchedule']);
  if (id === null) return null;
  const query = context.db.selectFrom('pipeline_schedules').selectAll().where('id', '=', id);
  const pipelineSchedule = await (lock ? query.forUpdate() : query).executeTakeFirst();
  const parent = pipelineSchedule && (await pipelineOfMembers(context, { id: pipelineSchedule.pipelineId }));
  if (!pipelineSchedule || !parent) return null;
  if (
    'pipeline' in address &&
    (parent.organization.slug !== address.organization || parent.pipeline.slug !== address.pipeline)
  )
    return null;
  return { ...parent, pipelineSchedule };
}

/** Finds a pipeline, unless the caller is only a visitor of its organization. */
export async function pipelineOfMembers(
  context: Context,
  ...named: Parameters<typeof findPipeline> extends [Context, ...infer Rest] ? Rest : never
): Promise<PipelineSubject | null> {
  const parent = await findPipeline(context, ...named);
  return parent && standing(context.actor, parent.organization.id) !== 'visitor' ? parent : null;
}
