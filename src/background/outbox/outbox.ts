import { sql } from 'kysely';
import pLimit from 'p-limit';
import { compiled } from '../../database/compiled.js';
import { DatabaseUnavailableError } from '../../database/faults.js';
import type { Row } from '../../entities/database.js';
import type { OutboxTopic } from '../../request/record-events.js';
import { Activity } from '../../services/activity.js';
import type { Services } from '../../services/services.js';
import { asSystem } from '../../core/system-transaction.js';
import { inSpan } from '../../tracing/tracing.js';
import { WorkClaims } from '../work/work-claims.js';
import {
  type GroupHandler,
  groupHandlers,
  lastResorts,
  longTopics,
  type MessageFacts,
  outsideHandlers,
  transactionHandlers,
} from './outbox-handlers.js';

type Message = Row<'outbox_messages'>;
/** A message that is this process's until `availableAt`; `dueAt` orders the messages. */
type LeasedMessage = Message & { dueAt: Date };

/**
 * Messages that one statement leases, with their payloads. No caller chooses the size of a payload: it is an id, the
 * name of a concurrency group (`limits.concurrencyGroupLength`), or folders that are made of ids, 200 of them at most:
 * 30 KiB.
 */
const messagesAtOnce = 50;
/** Messages whose effects are outside a transaction and that are dispatched at a time. */
const outsideAtOnce = 4;
/** Attempts before a message is set aside for an operator; the last one comes hours after the first. */
const attemptsAtMost = 12;
const firstDelayMs = 1000;
const longestDelayMs = 60 * 60_000;
/** Lease of a message, whose owner may have died: short, or long where the effect may take that long. */
const leaseMs = 20_000;
const longLeaseMs = 10 * 60_000;

// The list is made once: planned beside the table, a statement might lock more rows than it has asked for.
const leaseDue = compiled<
  {
    now: Date;
    until: Date;
    longUntil: Date;
    longTopics: readonly string[];
    most: number;
    claim: string;
    processId: string;
  },
  LeasedMessage
>(
  'lease-messages',
  (_db, { now, until, longUntil, longTopics: slow, most, claim, processId }) => sql`
    with due as materialized (
      select id, available_at from outbox_messages m where failed_at is null and available_at <= ${now}
        and not exists (select from work_suspects s where s.task = 'outbox' and s.unit = m.id::text and
          s.set_aside_at is null)
      order by available_at, id limit ${most} for update of m skip locked
    ), leased as (
      update outbox_messages m
        set available_at = case when m.topic =
          any(${slow}::text[]) then ${longUntil}::timestamptz else ${until}::timestamptz end
      from due where m.id = due.id returning m.*, due.available_at as due_at
    ), claimed as (
      insert into work_claims (id, process_id, task, units, seen_at)
      select ${claim}::uuid, ${processId}::uuid, 'outbox', array_agg(id::text), clock_timestamp() from leased
        having count(*) > 0
    )
    select * from leased`,
);

const leaseSuspect = compiled<{ now: Date; longUntil: Date; units: readonly string[] }, LeasedMessage>(
  'lease-suspect-message',
  (_db, { now, longUntil, units }) => sql`
    with due as materialized (
      select id, available_at from outbox_messages
      where id = any(${units}::uuid[]) and failed_at is null and available_at <= ${now}
      order by available_at, id limit 1 for update skip locked
    )
    update outbox_messages m set available_at = ${longUntil} from due where m.id = due.id
    returning m.*, due.available_at as due_at`,
);

const takeLeased = compiled<{ id: string; until: Date }, { id: string }>('take-leased-message', (db, { id, until }) =>
  db.deleteFrom('outbox_messages').where('id', '=', id).where('availableAt', '=', until).returning('id'),
);

const deleteMessages = compiled<{ ids: readonly string[] }, never>(
  'delete-messages',
  (_db, { ids }) => sql`delete from outbox_messages where id = any(${ids}::uuid[])`,
);

/**
 * Dispatches outbox messages. Each round leases a batch with one statement, so that other replicas take the ones after
 * it. Effects in the database are one transaction with the deletion of the message, one after another in the order in
 * which the messages became due; a lease that has ended meanwhile makes such a transaction do nothing. Effects outside
 * are carried out a few at a time and their messages deleted together. A failing message is retried with growing pauses
 * and finally set aside, or given to the last resort of its topic; other messages do not wait for it.
 */
export class Outbox {
  /** Leased messages that could not be dispatched or deleted because the database was unavailable. */
  private unfinished: LeasedMessage[] = [];

  constructor(
    private readonly services: Services,
    private readonly claims = new WorkClaims(services),
  ) {}

  /**
   * Dispatches the messages that are due, at most a batch of them; false if there are none. Those that were under way
   * when a process died are dispatched first, each alone.
   */
  async round(signal?: AbortSignal): Promise<boolean> {
    await this.giveBack();
    const suspect = await this.takeSuspect();
    if (suspect) {
      await this.claims.alone('outbox', suspect.id, () => this.dispatch([suspect], signal));
      return true;
    }
    const claim = this.claims.newClaim();
    try {
      const messages = await this.lease(claim);
      if (messages.length > 0) await this.dispatch(messages, signal);
      return messages.length > 0;
    } finally {
      await this.claims.end(claim);
    }
  }

  private async takeSuspect(): Promise<LeasedMessage | null> {
    const units = this.claims.suspectsOf('outbox');
    if (units.length === 0) return null;
    const now = this.services.clock.now();
    const [message] = await leaseSuspect(this.services.db, {
      now,
      longUntil: new Date(now.getTime() + longLeaseMs),
      units,
    });
    return message ?? null;
  }

  private async dispatch(messages: readonly LeasedMessage[], signal: AbortSignal | undefined): Promise<void> {
    const open = new Set(messages);
    const results = await Promise.allSettled([
      this.claims.beside(() => this.dispatchInTransactions(open, signal)),
      this.dispatchOutside(open, signal),
    ]);
    this.unfinished.push(...open);
    rethrow(results);
    if (signal?.aborted) await this.giveBack();
  }

  private async lease(claim: string): Promise<LeasedMessage[]> {
    const now = this.services.clock.now();
    const messages = await leaseDue(this.services.db, {
      now,
      until: new Date(now.getTime() + leaseMs),
      longUntil: new Date(now.getTime() + longLeaseMs),
      longTopics,
      most: messagesAtOnce,
      claim,
      processId: this.claims.processId,
    });
    return messages.sort((a, b) => a.dueAt.getTime() - b.dueAt.getTime() || (a.id < b.id ? -1 : 1));
  }

  /** Makes messages due again that this process did not finish, so that nobody waits for the end of their leases. */
  private async giveBack(): Promise<void> {
    const messages = this.unfinished;
    if (messages.length === 0) return;
    const rows = messages.map(({ id, availableAt, dueAt }) => ({ id, until: availableAt, due: dueAt }));
    await sql`update outbox_messages m set available_at = r.due
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, until timestamptz, due timestamptz)
      where m.id = r.id and m.available_at = r.until and m.failed_at is null`.execute(this.services.db);
    this.unfinished = [];
  }

  private async dispatchInTransactions(open: Set<LeasedMessage>, signal: AbortSignal | undefined): Promise<void> {
    for (const message of [...open]) {
      const topic = message.topic as OutboxTopic;
      const lastResort = lastResorts[topic];
      const handler =
        lastResort && message.attempts >= lastResort.attempts ? lastResort.run : transactionHandlers[topic];
      if (!handler || signal?.aborted) continue;
      await this.attempt(message, () =>
        asSystem(this.services, 'outbox', async (context) => {
          const [own] = await takeLeased(context.db, { id: message.id, until: message.availableAt });
          if (own) await handler(context, message);
        }),
      );
      open.delete(message);
    }
  }

  private async dispatchOutside(open: Set<LeasedMessage>, signal: AbortSignal | undefined): Promise<void> {
    const messages = [...open].filter(({ topic }) => !transactionHandlers[topic as OutboxTopic]);
    const done: LeasedMessage[] = [];
    const dispatch = async (message: LeasedMessage, work: () => Promise<void>) => {
      if (await this.attempt(message, work)) done.push(message);
      else open.delete(message);
    };
    const inTurn = pLimit(outsideAtOnce);
    const unlessStopped = (work: () => Promise<void>) => inTurn(() => (signal?.aborted ? undefined : work()));
    const results = await Promise.allSettled(
      [...groupsByHandler(messages)].map(([handler, group]) =>
        unlessStopped(async () => {
          const work = async () => {
            const outcome = handler(this.services, group);
            const each = await Promise.allSettled(group.map((message) => dispatch(message, () => outcome(message))));
            rethrow(each);
          };
          // Webhook deliveries are units of their own, which wait for their turns themselves.
          await (handler === groupHandlers['webhook.process'] ? work() : this.claims.beside(work));
        }),
      ),
    );
    if (done.length > 0) await deleteMessages(this.services.db, { ids: done.map(({ id }) => id) });
    for (const message of done) open.delete(message);
    rethrow(results);
  }

  /** Whether `work` succeeded; its failure is noted. Throws without the database. */
  private async attempt(message: Message, work: () => Promise<void>): Promise<boolean> {
    try {
      await inSpan({ name: `outbox ${message.topic}`, kind: 'consumer' }, work);
      Activity.of(this.services).outbox.add(message.topic, 'delivered');
      return true;
    } catch (error) {
      // A lost connection to the database is not the message's fault, so it does not count as an attempt.
      if (error instanceof DatabaseUnavailableError) throw error;
      await this.noteFailure(message, error);
      return false;
    }
  }

  private async noteFailure(message: Message, error: unknown): Promise<void> {
    const { db, clock, log } = this.services;
    const attempts = message.attempts + 1;
    const now = clock.now();
    const delay = Math.min(longestDelayMs, firstDelayMs * 4 ** (attempts - 1)) * (0.75 + Math.random() / 2);
    const last = attempts >= attemptsAtMost;
    Activity.of(this.services).outbox.add(message.topic, last ? 'failed' : 'retried');
    log[last ? 'error' : 'warn'](
      { topic: message.topic, messageId: message.id, attempts, err: error },
      last ? 'a message is set aside' : 'a message was not delivered',
    );
    await db
      .updateTable('outbox_messages')
      .set({
        attempts,
        lastError: String(error).slice(0, 2000),
        availableAt: new Date(now.getTime() + delay),
        failedAt: last ? now : null,
      })
      .where('id', '=', message.id)
      .execute();
  }
}

/** The messages by what dispatches them: those that are dispatched together, and each of the others alone. */
function* groupsByHandler(messages: readonly LeasedMessage[]): Generator<[GroupHandler, LeasedMessage[]]> {
  const groups = new Map<string, LeasedMessage[]>();
  for (const message of messages) {
    const topic = message.topic as OutboxTopic;
    if (groupHandlers[topic]) groups.set(topic, [...(groups.get(topic) ?? []), message]);
    else yield [(services) => (each) => dispatchAlone(services, each), [message]];
  }
  for (const [topic, group] of groups) {
    const handler = groupHandlers[topic as OutboxTopic];
    if (handler) yield [handler, group];
  }
}

async function dispatchAlone(services: Services, message: Message | MessageFacts): Promise<void> {
  const { topic } = message as Message;
  const handler = outsideHandlers[topic as OutboxTopic];
  if (!handler) throw new Error(`nobody delivers messages of the topic ${topic}`);
  await handler(services, message);
}

function rethrow(results: readonly PromiseSettledResult<unknown>[]): void {
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
