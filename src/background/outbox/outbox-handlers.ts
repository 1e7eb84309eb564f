import { sql } from 'kysely';
import pLimit from 'p-limit';
import type { Context } from '../../request/context.js';
import { compiled } from '../../database/compiled.js';
import type { JobRow } from '../../entities/database.js';
import type { OutboxTopic } from '../../request/record-events.js';
import type { Services } from '../../services/services.js';
import type { JsonObject } from '../../domain/pipelines/steps/step.js';
import { compactLog } from '../../storage/logs/compact-log.js';
import { logRef, logStore } from '../../resources/builds/logs/log-store.js';
import { digestLog } from '../../resources/builds/logs/merged/digest-log.js';
import { advanceSearch } from '../../engine/culprits/advance-search.js';
import { releaseConcurrency } from '../../engine/agents/release-concurrency.js';
import { finishTriggerJob } from '../../engine/triggers/finish-trigger-job.js';
import { noteCompactedLogs } from '../../engine/state/jobs.js';
import { failTrigger, startTrigger } from '../../engine/triggers/start-trigger-job.js';
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
  'culprit.advance': async (context, { payload }) => void (await advanceSearch(context, text(payload, 'searchId'))),
  'concurrency.release': (context, { organizationId, payload }) =>
    releaseConcurrency(context, organizationId ?? '', text(payload, 'group')),
};

/**
 * What is done instead of an effect in the database that has failed so often, in one transaction with the deletion of
 * the message.
 */
export const lastResorts: Partial<
  Record<OutboxTopic, { attempts: number; run: (context: Context, message: MessageFacts) => Promise<void> }>
> = {
  // The build of the job would wait for it for ever.
  'trigger.start': { attempts: 3, run: (context, { payload }) => failTrigger(context, text(payload, 'jobId')) },
};

/** Effects outside the database, or too long for a transaction: they may happen twice, which is harmless. */
export const outsideHandlers: Partial<
  Record<OutboxTopic, (services: Services, message: MessageFacts) => Promise<void>>
> = {
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
  'webhook.process': together('deliveryId', processDeliveries),
  'log.compact': together('jobId', compactLogs),
};

/** Messages that each name something by its id; `work` returns the errors of the ids with which it failed. */
function together(
  name: string,
  work: (services: Services, ids: readonly string[]) => Promise<ReadonlyMap<string, unknown>>,
): GroupHandler {
  return (services, messages) => {
    const ids = messages.flatMap(({ payload: { [name]: id } }) => (typeof id === 'string' && id !== '' ? [id] : []));
    const failures = work(services, ids);
    // Of messages without an id nobody waits for it.
    failures.catch(() => undefined);
    return async ({ payload }) => {
      const id = text(payload, name);
      if ((await failures).has(id)) throw (await failures).get(id);
    };
  };
}

/** Topics whose effect may take minutes. */
export const longTopics: readonly OutboxTopic[] = ['log.compact', 'objects.delete'];

/** Logs that are compacted at a time. */
const logsAtOnce = 4;

const logsToCompact = compiled<{ ids: readonly string[] }, Pick<JobRow, 'id' | 'organizationId' | 'buildId'>>(
  'logs-to-compact',
  (_db, { ids }) => sql`
    select id, organization_id, build_id from jobs where id = any(${ids}::uuid[]) and log_deleted_at is null`,
);

/** Compacts logs; returns the errors of those that could not be, by the id of the job. */
async function compactLogs(services: Services, jobIds: readonly string[]): Promise<ReadonlyMap<string, unknown>> {
  const { db, clock } = services;
  const failures = new Map<string, unknown>();
  const compacted: string[] = [];
  const inTurn = pLimit(logsAtOnce);
  const jobs = await logsToCompact(db, { ids: jobIds });
  await Promise.all(
    jobs.map((job) =>
      inTurn(async () => {
        try {
          await compactLog(logStore(services, job.organizationId), logRef(job));
          compacted.push(job.id);
          await digestLog(services, job);
        } catch (error) {
          failures.set(job.id, error);
        }
      }),
    ),
  );
  if (compacted.length > 0) await noteCompactedLogs(db, compacted, clock.now());
  return failures;
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
