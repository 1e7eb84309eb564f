import type { Context, OutboxTopic, Services } from '../../context.js';
import type { JsonObject } from '../../domain/steps/step.js';
import { compactLog } from '../../storage/logs/compact-log.js';
import { logRef, logStore } from '../logs/log-store.js';
import { releaseConcurrency } from '../scheduling/release-concurrency.js';
import { settleTrigger } from '../scheduling/settle-trigger.js';
import { startTrigger } from '../scheduling/start-trigger.js';
import { processDelivery } from '../webhook-deliveries/process.js';

/** What a message says. */
export interface MessageFacts {
  organizationId: string | null;
  payload: JsonObject;
}

/** Effects in the database: one transaction with the deletion of the message, so that each happens once. */
export const transactionHandlers: Partial<Record<OutboxTopic, (context: Context, message: MessageFacts) => Promise<void>>> = {
  'trigger.start': (context, { payload }) => startTrigger(context, text(payload, 'jobId')),
  'trigger.settle': (context, { payload }) => settleTrigger(context, text(payload, 'buildId')),
  'concurrency.release': (context, { organizationId, payload }) => releaseConcurrency(context, organizationId ?? '', text(payload, 'group')),
};

/** Effects outside the database, or too long for a transaction: they may happen twice, and that does no harm. */
export const outsideHandlers: Partial<Record<OutboxTopic, (services: Services, message: MessageFacts) => Promise<void>>> = {
  'log.compact': compactLogOf,
  'webhook.process': (services, { payload }) => processDelivery(services, text(payload, 'deliveryId')),
  'objects.delete': async ({ storage }, { payload }) => {
    for (const prefix of texts(payload, 'prefixes')) await storage.deletePrefix(prefix);
  },
};

async function compactLogOf(services: Services, { payload }: MessageFacts): Promise<void> {
  const { db, clock } = services;
  const job = await db.selectFrom('jobs').select(['id', 'organizationId', 'buildId', 'logDeletedAt']).where('id', '=', text(payload, 'jobId')).executeTakeFirst();
  if (!job || job.logDeletedAt !== null) return;
  await compactLog(logStore(services, job.organizationId), logRef(job));
  await db.updateTable('jobs').set({ logCompactedAt: clock.now() }).where('id', '=', job.id).where('logDeletedAt', 'is', null).execute();
}

function text(payload: JsonObject, name: string): string {
  const value = payload[name];
  if (typeof value !== 'string' || value === '') throw new Error(`the message has no ${name}`);
  return value;
}

function texts(payload: JsonObject, name: string): string[] {
  const value = payload[name];
  if (!Array.isArray(value) || !value.every((each) => typeof each === 'string')) throw new Error(`the message has no ${name}`);
  return value as string[];
}
