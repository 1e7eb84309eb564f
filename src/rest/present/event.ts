import type { Context } from '../../context.js';
import type { JsonObject } from '../../domain/steps/step.js';
import { formatTime } from '../../domain/time.js';
import type { EventRow } from '../../entities/database.js';

/** Something that happened to a build or a job of it: ours, for the history that `events` of a job show in the schema. */
export async function presentEvent(context: Context, event: EventRow): Promise<JsonObject> {
  return {
    id: event.id,
    sequence: event.sequence,
    type: event.type,
    from: event.fromState,
    to: event.toState,
    reason: event.reason,
    job_id: event.subject === 'job' ? event.jobId : null,
    agent_id: event.agentId,
    actor: await presentActor(context, event),
    data: event.data ?? {},
    created_at: formatTime(event.createdAt),
  };
}

async function presentActor(context: Context, { actorType, actorId }: EventRow): Promise<JsonObject> {
  const loader = actorType === 'user' ? context.load.user : actorType === 'agent' ? context.load.agent : null;
  const actor = actorId === null ? null : await loader?.load(actorId);
  return { type: actorType, id: actorId, name: actor?.name ?? null };
}
