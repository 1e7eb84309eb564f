import { z } from 'zod';
import { standing } from '../../auth/authorize.js';
import type { Context } from '../../context.js';
import { idFromEither } from '../../domain/node-id.js';
import type { PipelineScheduleRow } from '../../entities/database.js';
import { findPipeline } from '../find.js';
import type { PipelineSubject } from '../subject.js';

const word = z.string().max(300);

/** Under its pipeline, or by uuid or node id alone. */
export const scheduleInput = z.object({ pipelineSchedule: z.union([z.object({ organization: word, pipeline: word, id: word }), z.object({ id: word })]) });

export interface ScheduleSubject extends PipelineSubject {
  pipelineSchedule: PipelineScheduleRow;
}

/**
 * The schedule a caller names, if it may see its pipeline as a member does: what a schedule passes to its builds is no matter for
 * visitors. `lock` takes its row lock, under which its next build is made.
 */
export async function findSchedule(context: Context, { pipelineSchedule: address }: z.output<typeof scheduleInput>, { lock = false } = {}): Promise<ScheduleSubject | null> {
  const id = idFromEither(address.id, ['PipelineSchedule']);
  if (id === null) return null;
  const query = context.db.selectFrom('pipeline_schedules').selectAll().where('id', '=', id);
  const pipelineSchedule = await (lock ? query.forUpdate() : query).executeTakeFirst();
  const found = pipelineSchedule && (await pipelineOfMembers(context, { id: pipelineSchedule.pipelineId }));
  if (!pipelineSchedule || !found) return null;
  if ('pipeline' in address && (found.organization.slug !== address.organization || found.pipeline.slug !== address.pipeline)) return null;
  return { ...found, pipelineSchedule };
}

/** A pipeline, unless the caller is a mere visitor of its organization. */
export async function pipelineOfMembers(context: Context, ...named: Parameters<typeof findPipeline> extends [Context, ...infer Rest] ? Rest : never): Promise<PipelineSubject | null> {
  const found = await findPipeline(context, ...named);
  return found && standing(context.actor, found.organization.id) !== 'visitor' ? found : null;
}
