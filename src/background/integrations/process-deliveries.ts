import { sql } from 'kysely';
import pLimit from 'p-limit';
import { group } from '../../loaders/batch-loader.js';
import type { Context } from '../../request/context.js';
import type { Services } from '../../services/services.js';
import { compiled } from '../../database/compiled.js';
import { rowAs } from '../../database/row-conversion.js';
import { DatabaseUnavailableError } from '../../database/faults.js';
import { type EventDecision, summarise } from '../../domain/integrations/webhook-deliveries/event-decision.js';
import type { ProviderEvent } from '../../domain/integrations/webhook-deliveries/provider-event.js';
import { readDelivery } from '../../domain/integrations/webhook-deliveries/read-delivery.js';
import { byteLength, limits } from '../../domain/limits/limits.js';
import type { Db, WebhookDeliveryRow } from '../../entities/database.js';
import { asSystem } from '../../core/system-transaction.js';
import { currentClaims } from '../work/work-claims.js';
import { carryOut } from '../../engine/webhook-deliveries/carry-out-delivery.js';
import type { PipelineScope } from '../../engine/webhook-deliveries/decide-event.js';

/** Attempts before a delivery that keeps failing internally is marked failed, so that later ones get their turn. */
const attemptsAtMost = 3;

/** Deliveries of one pipeline that share a transaction, and bytes of their payloads. */
const deliveriesAtOnce = 10;
const payloadBytesAtOnce = 2 * 1024 * 1024;
/** A payload of fewer bytes as it is stored, compressed, cannot be large as text. */
const smallStoredBytes = 8 * 1024;
/** Pipelines whose deliveries are processed at a time. */
const pipelinesAtOnce = 4;

/**
 * Processes deliveries, and before each every earlier one of its pipeline that still waits: deliveries of a pipeline
 * take effect in the order they came, on however many replicas. Those of one pipeline share transactions, under the
 * locks of their rows, so that each has its effect once. Returns the errors of those that were not processed.
 */
export async function processDeliveries(
  services: Services,
  deliveryIds: readonly string[],
): Promise<ReadonlyMap<string, unknown>> {
  const failures = new Map<string, unknown>();
  const targets = group(await targetsOf(services.db, { ids: deliveryIds }), ({ pipelineId }) => pipelineId);
  const inTurn = pLimit(pipelinesAtOnce);
  await Promise.all(
    [...targets].map(([pipelineId, ofPipeline]) =>
      inTurn(async () => {
        const ids = ofPipeline.map(({ id }) => id).sort();
        const failure = await processPipeline(services, pipelineId, ids.at(-1) ?? '');
        if (failure) for (const id of ids) if (id >= failure.deliveryId) failures.set(id, failure.error);
      }),
    ),
  );
  return failures;
}

const targetsOf = compiled<{ ids: readonly string[] }, { id: string; pipelineId: string }>(
  'pipelines-of-deliveries',
  (_db, { ids }) => sql`select id, pipeline_id from webhook_deliveries where id = any(${ids}::uuid[])`,
);

interface ProcessingFailure {
  /** The first delivery that was not processed; empty if it is not known. */
  deliveryId: string;
  error: unknown;
}

/** Processes the waiting deliveries of a pipeline up to one of them. Returns the failure that ended it early. */
async function processPipeline(
  services: Services,
  pipelineId: string,
  lastId: string,
): Promise<ProcessingFailure | null> {
  const attempt: Attempt = { pipelineId, lastId, most: deliveriesAtOnce };
  for (;;) {
    const ids = (await pendingDeliveries(services.db, attempt)).map(({ id }) => id);
    const outcome = await claimFirst(ids, (claimed) => processBatch(services, attempt, claimed));
    if (outcome !== 'more') return outcome;
  }
}

interface Attempt {
  pipelineId: string;
  lastId: string;
  /** Deliveries that share a transaction: one after a failure, so that only the one to blame is rolled back. */
  most: number;
}

/**
 * Runs `work` for the first deliveries of which nothing is known, or for the first alone if a process died while it was
 * under way: those of a pipeline keep their order.
 */
async function claimFirst<T>(ids: readonly string[], work: (ids: readonly string[]) => Promise<T>): Promise<T> {
  const claims = currentClaims();
  const [first] = ids;
  if (!claims || first === undefined) return work(ids);
  const claim = claims.newClaim();
  try {
    // Another replica may be at them: the locks of their rows decide.
    const standings = await claims.begin('webhook-processing', ids, claim, { shares: true });
    if (standings.get(first) === 'free') {
      const known = ids.findIndex((id) => standings.get(id) !== 'free');
      return await claims.beside(() => work(known < 0 ? ids : ids.slice(0, known)));
    }
  } finally {
    await claims.end(claim);
  }
  return claims.alone('webhook-processing', first, () => work([first]));
}

async function processBatch(
  services: Services,
  attempt: Attempt,
  ids: readonly string[],
): Promise<ProcessingFailure | 'more' | null> {
  const { pipelineId, lastId } = attempt;
  const progress = { deliveryId: '', together: 0 };
  try {
    const exists = await asSystem(services, 'webhook', (context) =>
      processSome(context, { pipelineId, lastId: ids.at(-1) ?? lastId, most: attempt.most }, progress),
    );
    // Also where there were none: another replica may have processed these while this one waited for their locks, and
    // it leaves later deliveries to the replica that has their messages.
    return exists && (await isPending(services.db, { pipelineId, lastId })) ? 'more' : null;
  } catch (error) {
    const { deliveryId, together } = progress;
    if (error instanceof DatabaseUnavailableError) return { deliveryId: '', error };
    // Only the one to blame is to be rolled back.
    if (together > 1) {
      attempt.most = 1;
      return 'more';
    }
    if (deliveryId === '' || !(await noteFailure(services, deliveryId))) return { deliveryId, error };
    services.log.error({ deliveryId, err: error }, 'a delivery could not be processed');
    return 'more';
  }
}

const pendingDeliveries = compiled<Attempt, { id: string }>('pending-deliveries', (db, { pipelineId, lastId, most }) =>
  db
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('pipelineId', '=', pipelineId)
    .where('processedAt', 'is', null)
    .where('id', '<=', lastId)
    .orderBy('id')
    .limit(most as unknown as number),
);

const pendingDelivery = compiled<{ pipelineId: string; lastId: string }, { id: string }>(
  'pending-delivery',
  (db, { pipelineId, lastId }) =>
    db
      .selectFrom('webhook_deliveries')
      .select('id')
      .where('pipelineId', '=', pipelineId)
      .where('processedAt', 'is', null)
      .where('id', '<=', lastId)
      .limit(1),
);

const isPending = async (db: Db, target: { pipelineId: string; lastId: string }) =>
  (await pendingDelivery(db, target)).length > 0;

/**
 * The first waiting deliveries, locked in their order: at least one, and further ones while their payloads are small.
 */
const lockPending = compiled<
  { pipelineId: string; lastId: string; most: number; bytes: number },
  Omit<WebhookDeliveryRow, 'headers'>
>(
  'lock-pending-deliveries',
  (_db, { pipelineId, lastId, most, bytes }) => sql`
    with sized as materialized (
      select id, row_number() over (order by id) as place, sum(size) over (order by id) as total from (
        select id, case when pg_column_size(payload) < ${smallStoredBytes}::int then pg_column_size(payload)
          else octet_length(payload::text) end as size from webhook_deliveries
        where pipeline_id = ${pipelineId} and processed_at is null and id <= ${lastId} order by id limit ${most}
      ) p
    )
    select d.id, d.organization_id, d.pipeline_id, d.sender, d.event, d.delivery_id, d.payload, d.created_at
    from webhook_deliveries d
    where d.id = any(array(select id from sized where place = 1 or total <= ${bytes})) and d.processed_at is null
    order by d.id for update`,
);

const pipelineById = compiled<{ id: string }, PipelineScope>('pipeline-with-organization', (db, { id }) =>
  db
    .selectFrom('pipelines as p')
    .innerJoin('organizations as o', 'o.id', 'p.organizationId')
    .select(rowAs('pipelines', 'p', 'pipeline'))
    .select(rowAs('organizations', 'o', 'organization'))
    .where('p.id', '=', id),
);

const finishDeliveries = compiled<{ finished: string; builds: string }, never>(
  'finish-deliveries',
  (_db, { finished, builds }) => sql`
    with linked as (
      insert into webhook_delivery_builds (build_id, organization_id, pipeline_id, delivery_id)
      select build_id, organization_id, pipeline_id, delivery_id
      from jsonb_populate_recordset(null::webhook_delivery_builds, ${builds}::jsonb)
    )
    update webhook_deliveries d set outcome = f.outcome, reason = f.reason, decisions = f.decisions,
      processed_at = f.processed_at, payload = case when f.keeps_payload then d.payload end
    from jsonb_to_recordset(${finished}::jsonb)
      as f(id uuid, outcome text, reason text, decisions jsonb, processed_at timestamptz, keeps_payload boolean)
    where d.id = f.id`,
);

/**
 * Processes some deliveries under the locks of their rows; a replica that waited for a lock finds them processed. False
 * if their pipeline is gone.
 */
async function processSome(
  context: Context,
  { pipelineId, lastId, most }: { pipelineId: string; lastId: string; most: number },
  progress: { deliveryId: string; together: number },
): Promise<boolean> {
  const deliveries = await lockPending(context.db, { pipelineId, lastId, most, bytes: payloadBytesAtOnce });
  if (deliveries.length === 0) return true;
  const [scope] = await pipelineById(context.db, { id: pipelineId });
  if (!scope) return false;
  context.load.organization.prime(scope.organization.id, scope.organization);
  const finished: object[] = [];
  const builds: object[] = [];
  for (const delivery of deliveries) {
    progress.deliveryId = delivery.id;
    progress.together += 1;
    const decisions = await decisionsOf(context, scope, delivery);
    finished.push({
      id: delivery.id,
      ...summarise(decisions),
      decisions,
      processed_at: context.now,
      keeps_payload: byteLength(JSON.stringify(delivery.payload)) <= limits.webhookPayloadKeptBytes,
    });
    for (const { buildId } of decisions)
      if (buildId !== null)
        builds.push({
          build_id: buildId,
          organization_id: delivery.organizationId,
          pipeline_id: delivery.pipelineId,
          delivery_id: delivery.id,
        });
    // The locks of builds that it canceled are held until the commit, which is to come at once.
    if (mayCancel(scope, decisions)) break;
  }
  await finishDeliveries(context.db, { finished: JSON.stringify(finished), builds: JSON.stringify(builds) });
  return true;
}

function mayCancel({ pipeline }: PipelineScope, decisions: readonly EventDecision[]): boolean {
  const supersedes = pipeline.skipQueuedBranchBuilds || pipeline.cancelRunningBranchBuilds;
  return decisions.some(({ buildId, canceledBuildIds }) => canceledBuildIds.length > 0 || (supersedes && buildId));
}

async function decisionsOf(
  context: Context,
  scope: PipelineScope,
  delivery: Pick<WebhookDeliveryRow, 'organizationId' | 'pipelineId' | 'sender' | 'event' | 'payload'>,
): Promise<EventDecision[]> {
  const decisions: EventDecision[] = [];
  for (const event of readDelivery(delivery.sender, delivery.event, delivery.payload ?? {}).slice(
    0,
    limits.webhookEventsPerDelivery,
  )) {
    await rememberPullRequest(context, delivery, event);
    decisions.push(await carryOut(context, scope, event));
  }
  return decisions;
}

/** Stores the pull request of a delivery, whether or not it is built. */
async function rememberPullRequest(
  context: Context,
  delivery: Pick<WebhookDeliveryRow, 'organizationId' | 'pipelineId'>,
  event: ProviderEvent,
): Promise<void> {
  if (event.kind !== 'pull_request' || event.pullRequest === null) return;
  const { label: _label, baseChanged: _baseChanged, number, ...pullRequestColumns } = event.pullRequest;
  const columns = { ...pullRequestColumns, updatedAt: context.now };
  await context.db
    .insertInto('pull_requests')
    .values({
      id: context.newId(),
      organizationId: delivery.organizationId,
      pipelineId: delivery.pipelineId,
      number,
      ...columns,
      createdAt: context.now,
    })
    .onConflict((conflict) => conflict.columns(['pipelineId', 'number']).doUpdateSet(columns))
    .execute();
}

/** Counts a failure; true once the delivery is marked failed. */
async function noteFailure({ db, clock }: Services, id: string): Promise<boolean> {
  const row = await db
    .updateTable('webhook_deliveries')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('id', '=', id)
    .where('processedAt', 'is', null)
    .returning('attempts')
    .executeTakeFirst();
  if (!row || row.attempts < attemptsAtMost) return false;
  const reason = 'The delivery could not be processed';
  await db
    .updateTable('webhook_deliveries')
    .set({ outcome: 'failed', reason, processedAt: clock.now() })
    .where('id', '=', id)
    .where('processedAt', 'is', null)
    .execute();
  return true;
}
