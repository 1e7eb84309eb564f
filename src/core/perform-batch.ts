import type { Context } from '../request/context.js';
import { DatabaseUnavailableError } from '../database/faults.js';
import { type ReadShare, readMemoryOf } from '../database/read-memory.js';
import { inTransaction } from '../database/transaction.js';
import { Problem } from '../domain/problem.js';
import { queueNotifications } from '../engine/notifications/queue-notifications.js';
import type { Db } from '../entities/database.js';
import { SharedTransactionError } from '../request/shared-rows.js';
import { flushTogether } from '../request/record-events.js';
import type { Services } from '../services/services.js';
import { inChildSpan } from '../tracing/tracing.js';
import { announce } from './announce.js';
import { type AnyOperation, requireScope, runCommand } from './operation.js';

/** A command of a batch. Its context is of the transaction, and has what was locked for it. */
export interface BatchCommand {
  operation: AnyOperation;
  context: Context;
  input: unknown;
}

/** The result of one of them; null: it must be performed alone. */
export type BatchResult = { output: unknown } | { problem: Problem } | null;

/**
 * Carries out a batch of commands in one transaction: `prepare` locks and loads what all of them need, each decides
 * for itself on what the ones before it leave, and what they recorded is written together. A command that is refused
 * changes nothing and keeps none of the others from their results. Gives the results in the order that `prepare` gives
 * the commands in; null if one of them met something unforeseen: nothing has changed then, and each is to be performed
 * alone, so that it is nobody else's error.
 *
 * For commands that write only what they record (`context.change`, `record`, `send`), without an idempotency key.
 */
export async function performBatch(
  services: Services,
  name: string,
  prepare: (trx: Db) => Promise<readonly (BatchCommand | null)[]>,
): Promise<BatchResult[] | null> {
  const share = readMemoryOf(services).share();
  try {
    return await inChildSpan(
      () => ({ name }),
      () => inOneTransaction(services, share, name, prepare),
    );
  } catch (error) {
    if (error instanceof DatabaseUnavailableError) throw error;
    return null;
  } finally {
    share.release();
  }
}

/** @param share counts what all of them read together */
async function inOneTransaction(
  services: Services,
  share: ReadShare,
  name: string,
  prepare: (trx: Db) => Promise<readonly (BatchCommand | null)[]>,
): Promise<BatchResult[]> {
  const { results, contexts } = await inTransaction(
    services.db,
    name,
    async (trx) => {
      const done: Context[] = [];
      const outcomes: BatchResult[] = [];
      for (const command of await prepare(trx)) {
        const result = command && (await carryOut(command));
        if (command && result && 'output' in result) done.push(command.context);
        outcomes.push(result);
      }
      await flushTogether(trx, done);
      for (const context of done) {
        const { events, mayNotify } = context.recorder.written;
        if (mayNotify) await queueNotifications(context, events);
      }
      return { results: outcomes, contexts: done };
    },
    share,
  );
  if (contexts.some(({ recorder }) => recorder.notifies)) services.wake('notifications');
  if (contexts.some(({ recorder }) => recorder.outbox.length > 0)) services.wake();
  announce(
    services,
    contexts.flatMap(({ recorder }) => recorder.events),
  );
  return results;
}

async function carryOut({ operation, context, input }: BatchCommand): Promise<BatchResult> {
  try {
    requireScope(operation, context);
    const { output } = await runCommand(operation, context, input);
    context.shared?.apply(context.recorder.changes);
    return { output };
  } catch (error) {
    if (error instanceof SharedTransactionError) return null;
    // What all of them read may be too much where each of them alone is not.
    if (error instanceof Problem) return error.code === 'too_large' ? null : { problem: error };
    throw error;
  }
}
