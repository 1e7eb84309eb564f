import type { Context } from '../../context.js';
import type { Services } from '../../services.js';
import { DatabaseUnavailableError } from '../../database/faults.js';
import { type EventDecision, summarise } from '../../domain/integrations/webhook-deliveries/event-decision.js';
import type { ProviderEvent } from '../../domain/integrations/webhook-deliveries/provider-event.js';
import { readDelivery } from '../../domain/integrations/webhook-deliveries/read-delivery.js';
import { byteLength, limits } from '../../domain/limits.js';
import type { WebhookDeliveryRow } from '../../entities/database.js';
import { asSystem } from '../../core/system-transaction.js';
import { carryOut } from '../../engine/webhook-deliveries/carry-out-delivery.js';

/** Attempts before a delivery that keeps failing internally is marked failed, so that later ones get their turn. */
const attemptsAtMost = 3;

/**
 * Processes a delivery, and before it every earlier one of its pipeline that still waits: deliveries of a pipeline
 * take effect in the order they came, on however many replicas. Each is a transaction of its own under its row's
 * lock, so that each has its effect once.
 */
export async function processDelivery(services: Services, deliveryId: string): Promise<void> {
  const target = await services.db
    .selectFrom('webhook_deliveries')
    .select(['id', 'pipelineId'])
    .where('id', '=', deliveryId)
    .executeTakeFirst();
  if (!target) return;
  for (let next = await firstPending(services, target); next !== null; next = await firstPending(services, target)) {
    const id = next;
    try {
      await asSystem(services, 'webhook', (context) => processOne(context, id));
    } catch (error) {
      if (error instanceof DatabaseUnavailableError || !(await noteFailure(services, id))) throw error;
      services.log.error({ deliveryId: id, err: error }, 'a delivery could not be processed');
    }
  }
}

async function firstPending({ db }: Services, target: { id: string; pipelineId: string }): Promise<string | null> {
  const row = await db
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('pipelineId', '=', target.pipelineId)
    .where('processedAt', 'is', null)
    .where('id', '<=', target.id)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Processes the delivery under its row's lock; a replica that waited for the lock finds it processed. */
async function processOne(context: Context, id: string): Promise<void> {
  const delivery = await context.db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('id', '=', id)
    .where('processedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  const pipeline =
    delivery &&
    (await context.db.selectFrom('pipelines').selectAll().where('id', '=', delivery.pipelineId).executeTakeFirst());
  const organization = pipeline && (await context.load.organization.load(pipeline.organizationId));
  if (!delivery || !pipeline || !organization) return;
  const decisions: EventDecision[] = [];
  for (const event of readDelivery(delivery.sender, delivery.event, delivery.payload ?? {}).slice(
    0,
    limits.webhookEventsPerDelivery,
  )) {
    await rememberPullRequest(context, delivery, event);
    decisions.push(await carryOut(context, { organization, pipeline }, event));
  }
  await linkBuilds(context, delivery, decisions);
  const keepsPayload = byteLength(JSON.stringify(delivery.payload)) <= limits.webhookPayloadKeptBytes;
  await context.db
    .updateTable('webhook_deliveries')
    .set({
      ...summarise(decisions),
      decisions,
      processedAt: context.now,
      ...(keepsPayload ? {} : { payload: null }),
    })
    .where('id', '=', id)
    .execute();
}

async function linkBuilds(
  context: Context,
  delivery: WebhookDeliveryRow,
  decisions: readonly EventDecision[],
): Promise<void> {
  const rows = decisions.flatMap(({ buildId }) =>
    buildId === null
      ? []
      : [
          {
            buildId,
            organizationId: delivery.organizationId,
            pipelineId: delivery.pipelineId,
            deliveryId: delivery.id,
          },
        ],
  );
  if (rows.length > 0) await context.db.insertInto('webhook_delivery_builds').values(rows).execute();
}

/** Stores the pull request of a delivery, whether or not it is built. */
async function rememberPullRequest(
  context: Context,
  delivery: WebhookDeliveryRow,
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
