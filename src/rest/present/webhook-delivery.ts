import type { Context } from '../../context.js';
import type { EventDecision } from '../../domain/delivery/event-decision.js';
import type { JsonObject } from '../../domain/steps/step.js';
import { formatTime } from '../../domain/time.js';
import type { ListedDelivery } from '../../operations/webhook-deliveries/list.js';
import type { DeliveryPreview } from '../../operations/webhook-deliveries/preview.js';
import { Urls } from './urls.js';
import { existing, timeOrNull } from './values.js';

/** A delivery with every rule that was asked. `payload` is shown where one delivery is. */
export async function presentDelivery(context: Context, delivery: ListedDelivery): Promise<JsonObject> {
  const [organizationRow, pipelineRow] = await Promise.all([context.load.organization.load(delivery.organizationId), context.load.pipeline.load(delivery.pipelineId)]);
  const place = Urls.of(context).pipeline(existing(organizationRow, 'an organization'), existing(pipelineRow, 'a pipeline'));
  return {
    id: delivery.id,
    url: `${place.api}/deliveries/${delivery.id}`,
    delivery_id: delivery.deliveryId,
    provider: delivery.sender,
    event: delivery.event,
    state: delivery.processedAt === null ? 'pending' : 'processed',
    outcome: delivery.outcome,
    reason: delivery.reason,
    headers: delivery.headers,
    decisions: await Promise.all((delivery.decisions as EventDecision[]).map((decision) => presentDecision(context, place.api, decision))),
    created_at: formatTime(delivery.createdAt),
    processed_at: timeOrNull(delivery.processedAt),
  };
}

/** A dry run, in the words of a delivery. */
export async function presentPreview(context: Context, { sender, event, outcome, reason, decisions }: DeliveryPreview): Promise<JsonObject> {
  return { provider: sender, event, outcome, reason, decisions: await Promise.all(decisions.map((decision) => presentDecision(context, '', decision))) };
}

async function presentDecision(context: Context, pipelineUrl: string, decision: EventDecision): Promise<JsonObject> {
  const { pullRequest } = decision;
  const build = decision.buildId === null ? null : await context.load.build.load(decision.buildId);
  return {
    kind: decision.kind,
    action: decision.action,
    repository: decision.repository,
    branch: decision.branch,
    tag: decision.tag,
    commit: decision.commit,
    message: decision.message,
    author: decision.author && { ...decision.author },
    pull_request: pullRequest && {
      id: pullRequest.number, title: pullRequest.title, base_branch: pullRequest.baseBranch, fork: pullRequest.fork, draft: pullRequest.draft, labels: pullRequest.labels,
    },
    outcome: decision.outcome,
    reason: decision.reason,
    rules: decision.rules.map((rule) => ({ ...rule })),
    build: build && { id: build.id, number: build.number, url: `${pipelineUrl}/builds/${build.number}` },
    canceled_build_ids: decision.canceledBuildIds,
  };
}
