import { z } from 'zod';
import type { RegistrationActor } from '../../../auth/actor.js';
import type { Context } from '../../../request/context.js';
import { namesDefaultQueue } from '../../../domain/agents/stack.js';
import { limits } from '../../../domain/limits/limits.js';
import { forbidden, notFound } from '../../../domain/problem.js';
import type { ClusterQueueRow, StackRow } from '../../../entities/database.js';
import type { Subject } from '../../../core/subject.js';
import { requireAllowedAddress } from '../allowed-address.js';

/** A stack, and the registration token by which it calls. */
export interface StackSubject extends Subject {
  stack: StackRow;
  token: RegistrationActor;
}

export const stackInput = z.object({ stack: z.string().max(300) });

/** IDs of jobs in one request of a stack. Any text may stand for a job: what is not an id names none. */
export const jobIdsInput = z
  .array(z.string().max(300), 'must be a list of ids')
  .max(limits.stackJobsPerRequest, `may name ${limits.stackJobsPerRequest} jobs at most`);

/** Returns the registration token of the request, from an address that it allows; throws for every other caller. */
export async function callingToken(context: Context): Promise<RegistrationActor> {
  const { actor } = context;
  if (actor.kind !== 'registration') throw forbidden('This needs an agent registration token');
  await requireAllowedAddress(context, actor);
  return actor;
}

/**
 * Finds a stack of the token's cluster by its key, and makes it the actor of the events to come. Throws `not_found` for
 * a key that nobody registered.
 */
export async function findStack(context: Context, key: string): Promise<StackSubject> {
  const token = await callingToken(context);
  const unknown = () => notFound('The cluster of this agent token has no such stack: register it first');
  if (!/^[\w-]+$/.test(key)) throw unknown();
  const stack = await context.db
    .selectFrom('stacks')
    .selectAll()
    .where('clusterId', '=', token.clusterId)
    .where('key', '=', key)
    .executeTakeFirst();
  if (!stack) throw unknown();
  context.recorder.actor = { kind: 'stack', stackId: stack.id };
  return { stack, token };
}

/** Finds a queue of the token's cluster by the key that a stack uses. Throws `not_found` where there is none. */
export async function findQueueOfStack(
  context: Context,
  { clusterId }: RegistrationActor,
  key: string,
): Promise<ClusterQueueRow> {
  const queues = context.db.selectFrom('cluster_queues').selectAll().where('clusterId', '=', clusterId);
  const named = await queues.where('key', '=', key).executeTakeFirst();
  if (named) return named;
  if (!namesDefaultQueue(key)) throw notFound(`The queue "${key}" does not exist in the cluster of this agent token`);
  const cluster = await context.load.cluster.load(clusterId);
  const queue = cluster?.defaultQueueId
    ? await queues.where('id', '=', cluster.defaultQueueId).executeTakeFirst()
    : undefined;
  if (!queue) throw notFound('The cluster of this agent token has no default queue: name one');
  return queue;
}
