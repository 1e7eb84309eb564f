import type { Context } from '../../../request/context.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import { formatTime } from '../../../domain/time.js';
import type { EventRow } from '../../../entities/database.js';
import {
  anything,
  described,
  enumOf,
  integer,
  mapOf,
  nullable,
  object,
  text,
  time,
  uuid,
} from '../../openapi/schema.js';
import { field, resource } from '../fields.js';

const actorSchema = object({
  type: described(enumOf('user', 'agent', 'stack', 'system'), 'Kind of actor.'),
  id: described(nullable(uuid), 'ID of the user, agent or stack; null for the system.'),
  name: described(nullable(text), 'Name of the user or agent; null for others.'),
});

export const eventResource = resource<{ context: Context; event: EventRow }>({
  id: field(uuid, 'ID of the event.', ({ event }) => event.id),
  sequence: field(integer, 'Position of the event in the history of the build, from 1.', ({ event }) => event.sequence),
  type: field(text, 'Type of the event, such as `job.start`.', ({ event }) => event.type),
  from: field(nullable(text), 'State before the event.', ({ event }) => event.fromState),
  to: field(nullable(text), 'State after the event.', ({ event }) => event.toState),
  reason: field(nullable(text), 'Reason of the change, if one was recorded.', ({ event }) => event.reason),
  job_id: field(nullable(uuid), 'ID of the job; null for an event of the build itself.', ({ event }) =>
    event.subject === 'job' ? event.jobId : null,
  ),
  agent_id: field(nullable(uuid), 'ID of the agent that the event concerns.', ({ event }) => event.agentId),
  actor: field(actorSchema, 'Who caused the event.', ({ context, event }) => presentActor(context, event)),
  data: field(mapOf(anything), 'Further details, by type of the event.', ({ event }) => event.data ?? {}),
  created_at: field(time, 'Time of the event.', ({ event }) => formatTime(event.createdAt)),
});

export function presentEvent(context: Context, event: EventRow): Promise<JsonObject> {
  return eventResource.present({ context, event });
}

async function presentActor(context: Context, { actorType, actorId }: EventRow): Promise<JsonObject> {
  const actor = actorId === null ? null : await loadActor(context, actorType, actorId);
  return { type: actorType, id: actorId, name: actor?.name ?? null };
}

function loadActor(context: Context, type: EventRow['actorType'], id: string) {
  if (type === 'user') return context.load.user.load(id);
  return type === 'agent' ? context.load.agent.load(id) : null;
}
