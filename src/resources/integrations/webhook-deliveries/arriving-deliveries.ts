import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { BatchQueue } from '../../../database/batch-queue.js';
import { compiled } from '../../../database/compiled.js';
import { DatabaseUnavailableError } from '../../../database/faults.js';
import { rowAs } from '../../../database/row-conversion.js';
import { isRetryable } from '../../../database/transaction.js';
import type { Db, OrganizationRow, WebhookDeliveryRow } from '../../../entities/database.js';

/** A delivery to be stored, with the id of the outbox message that has it processed. */
export type NewDelivery = Pick<
  WebhookDeliveryRow,
  'id' | 'organizationId' | 'pipelineId' | 'sender' | 'event' | 'deliveryId' | 'headers' | 'payload' | 'createdAt'
> & { messageId: string };

/** The pipeline of a webhook URL, with the secret of its webhook as it is stored. */
export interface PipelineOfToken {
  pipelineId: string;
  secret: string | null;
  organization: OrganizationRow;
}

/** Deliveries, or tokens, that one statement takes. */
const size = 50;
/** Bytes of a body up to which it shares a statement with others. */
const sharedBytes = 64 * 1024;
/** Attempts at a statement while the database is unavailable. */
const attempts = 5;

/** In the order of their key, so that replicas that get the same deliveries do not wait for each other in a circle. */
const insertDeliveries = compiled<{ deliveries: string }, { id: string }>(
  'insert-deliveries',
  (_db, { deliveries }) => sql`
    with given as materialized (
      select * from jsonb_to_recordset(${deliveries}::jsonb) as g(id uuid, message_id uuid, organization_id uuid,
        pipeline_id uuid,
        sender text, event text, delivery_id text, headers jsonb, payload jsonb, created_at timestamptz)
    ), inserted as (
      insert into webhook_deliveries (id, organization_id, pipeline_id, sender, event, delivery_id, headers,
        payload, created_at)
      select id, organization_id, pipeline_id, sender, event, delivery_id, headers, payload, created_at from given
      order by pipeline_id, delivery_id, event, id
      on conflict (pipeline_id, delivery_id, event) do nothing returning id
    ), sent as (
      insert into outbox_messages (id, organization_id, topic, payload, available_at, created_at)
      select g.message_id, g.organization_id, 'webhook.process', jsonb_build_object('deliveryId', g.id),
        g.created_at, g.created_at
      from given g join inserted i on i.id = g.id order by g.id
    )
    select id from inserted`,
);

const pipelinesOfTokens = compiled<{ tokenHashes: readonly string[] }, PipelineOfToken & { tokenHash: string }>(
  'pipelines-of-webhook-tokens',
  (db, { tokenHashes }) =>
    db
      .selectFrom('pipelines as p')
      .innerJoin('organizations as o', 'o.id', 'p.organizationId')
      .leftJoin('pipeline_webhooks as w', 'w.pipelineId', 'p.id')
      .select(['p.id as pipelineId', 'p.webhookTokenHash as tokenHash', 'w.secret'])
      .select(rowAs('organizations', 'o', 'organization'))
      .where(sql<boolean>`p.webhook_token_hash = any(${tokenHashes}::text[])`),
);

/** What arrives at one database. */
class Arrivals {
  readonly deliveries = new BatchQueue((deliveries: readonly NewDelivery[]) => this.storeAll(deliveries), { size });
  readonly pipelines = new BatchQueue((hashes: readonly string[]) => this.find(hashes), { size });

  constructor(private readonly db: Db) {}

  /** Stores deliveries with one statement; gives the ids of those that were not there. */
  async store(deliveries: readonly NewDelivery[]): Promise<Set<string>> {
    const rows = deliveries.map((each) => ({
      id: each.id,
      message_id: each.messageId,
      organization_id: each.organizationId,
      pipeline_id: each.pipelineId,
      sender: each.sender,
      event: each.event,
      delivery_id: each.deliveryId,
      headers: each.headers,
      payload: each.payload,
      created_at: each.createdAt,
    }));
    const text = JSON.stringify(rows);
    for (let attempt = 1; ; attempt += 1) {
      try {
        const inserted = await insertDeliveries(this.db, { deliveries: text });
        return new Set(inserted.map(({ id }) => id));
      } catch (error) {
        // Also retries when the reply was lost: a delivery that was stored anyway is found by its id.
        if (attempt >= attempts || !isRetryable(error)) throw error;
        await sleep(5 * 2 ** attempt * (0.5 + Math.random()));
      }
    }
  }

  private async storeAll(deliveries: readonly NewDelivery[]): Promise<(boolean | Error)[]> {
    try {
      const inserted = await this.store(deliveries);
      return deliveries.map(({ id }) => inserted.has(id));
    } catch (error) {
      if (error instanceof DatabaseUnavailableError || deliveries.length === 1) throw error;
      // One delivery caused the error; only its sender gets it.
      return Promise.all(
        deliveries.map((each) =>
          this.store([each]).then(
            (inserted) => inserted.has(each.id),
            (own: Error) => own,
          ),
        ),
      );
    }
  }

  private async find(tokenHashes: readonly string[]): Promise<(PipelineOfToken | null)[]> {
    const rows = await pipelinesOfTokens(this.db, { tokenHashes: [...new Set(tokenHashes)] });
    const byHash = new Map(rows.map((row) => [row.tokenHash, row]));
    return tokenHashes.map((hash) => byHash.get(hash) ?? null);
  }
}

const arrivals = new WeakMap<Db, Arrivals>();

function arrivalsOf(db: Db): Arrivals {
  const known = arrivals.get(db) ?? new Arrivals(db);
  arrivals.set(db, known);
  return known;
}

/**
 * Stores a delivery together with the message that has it processed; false if the pipeline has it already. Deliveries
 * of one moment are stored by one statement, unless their body, of so many `bytes`, is large.
 */
export async function storeDelivery(db: Db, delivery: NewDelivery, bytes: number): Promise<boolean> {
  const own = arrivalsOf(db);
  return bytes <= sharedBytes ? own.deliveries.add(delivery) : (await own.store([delivery])).has(delivery.id);
}

/** The pipeline whose webhook URL has the token with this hash, looked up together with those of the same moment. */
export function findPipelineOfToken(db: Db, tokenHash: string): Promise<PipelineOfToken | null> {
  return arrivalsOf(db).pipelines.add(tokenHash);
}
