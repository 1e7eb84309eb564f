import type { Context } from '../../context.js';
import type { OutboxTopic } from '../../record-events.js';
import type { Services } from '../../services.js';
import type { JsonObject } from '../../domain/pipelines/steps/step.js';
import { compactLog } from '../../storage/logs/compact-log.js';
import { logRef, logStore } from '../../resources/builds/logs/log-store.js';
import { releaseConcurrency } from '../../engine/agents/release-concurrency.js';
import { finishTriggerJob } from '../../engine/triggers/finish-trigger-job.js';
import { startTrigger } from '../../engine/triggers/start-trigger-job.js';
import { processDeliveries } from '../integrations/process-deliveries.js';

/** Payload of a message. */
export interface MessageFacts {
  organizationId: string | null;
  payload: JsonObject;
}

/** Effects in the database, in one transaction with the deletion of the message, so that each happens once. */
export const transactionHandlers: Partial<
  Record<OutboxTopic, (context: Context, message: MessageFacts) => Promise<void>>
> = {
  'trigger.start': (context, { payload }) => startTrigger(context, text(payload, 'jobId')),
  'trigger.settle': (context, { payload }) => finishTriggerJob(context, text(payload, 'buildId')),
  'concurrency.release': (context, { organizationId, payload }) =>
    releaseConcurrency(context, organizationId ?? '', text(payload, 'group')),
};

/** Effects outside the database, or too long for a transaction: they may happen twice, which is harmless. */
export const outsideHandlers: Partial<
  Record<OutboxTopic, (services: Services, message: MessageFacts) => Promise<void>>
> = {
  'log.compact': compactLogOf,
  'objects.delete': async ({ storage }, { payload }) => {
    for (const prefix of texts(payload, 'prefixes')) await storage.deletePrefix(prefix);
  },
};

/** Begins the dispatch of messages; the function that it returns waits for the outcome of one of them. */
export type GroupHandler = (
  services: Services,
  messages: readonly MessageFacts[],
) => (message: MessageFacts) => Promise<void>;

/** Effects outside the transaction of a message that are carried out for many messages at a time. */
export const groupHandlers: Partial<Record<OutboxTopic, GroupHandler>> = {
  'webhook.process': (services, messages) => {
    const ids = messages.flatMap(({ payload: { deliveryId } }) => (typeof deliveryId === 'string' ? [deliveryId] : []));
    const failures = processDeliveries(services, ids);
    return async ({ payload }) => {
      const id = text(payload, 'deliveryId');
      if ((await failures).has(id)) throw (await failures).get(id);
    };
  },
};

/** Topics whose effect may take minutes. */
export const longTopics: readonly OutboxTopic[] = ['log.compact', 'objects.delete'];

async function compactLogOf(services: Services, { payload }: MessageFacts): Promise<void> {
  const { db, clock } = services;
  const job = await db
    .selectFrom('jobs')
    .select(['id', 'organizationId', 'buildId', 'logDeletedAt'])
    .where('id', '=', text(payload, 'jobId'))
    .executeTakeFirst();
  if (!job || job.logDeletedAt !== null) return;
  await compactLog(logStore(services, job.organizationId), logRef(job));
  await db
    .updateTable('jobs')
    .set({ logCompactedAt: clock.now() })
    .where('id', '=', job.id)
    .where('logDeletedAt', 'is', null)
    .execute();
}

function text(payload: JsonObject, name: string): string {
  const value = payload[name];
  if (typeof value !== 'string' || value === '') throw new Error(`the message has no ${name}`);
  return value;
}

function texts(payload: JsonObject, name: string): string[] {
  const value = payload[name];
  if (!Array.isArray(value) || !value.every((each) => typeof each === 'string'))
    throw new Error(`the message has no ${name}`);
  return value as string[];
}
