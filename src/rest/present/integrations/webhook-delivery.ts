import type { Context } from '../../../request/context.js';
import type { EventDecision } from '../../../domain/integrations/webhook-deliveries/event-decision.js';
import { deliverySenders } from '../../../domain/integrations/webhook-deliveries/provider-event.js';
import type { Json, JsonObject } from '../../../domain/pipelines/steps/step.js';
import { formatTime } from '../../../domain/time.js';
import type { ListedDelivery } from '../../../operations/integrations/webhook-deliveries/list.js';
import type { DeliveryPreview } from '../../../operations/integrations/webhook-deliveries/preview.js';
import {
  anything,
  arrayOf,
  boolean,
  described,
  enumOf,
  integer,
  nullable,
  object,
  text,
  time,
  url,
  uuid,
} from '../../openapi/schema.js';
import { field, optionalField, resource } from '../fields.js';
import { Urls } from '../urls.js';
import { existing, timeOrNull } from '../values.js';

const outcomeSchema = enumOf('build', 'cancel', 'ignore', 'failed');
const providerSchema = enumOf(...deliverySenders);

const authorSchema = object({
  name: described(nullable(text), 'Name of the author.'),
  email: described(nullable(text), 'Email address of the author.'),
  username: described(nullable(text), 'Username of the author at the source provider.'),
});

const pullRequestSchema = object({
  id: described(text, 'Number of the pull request, as text.'),
  title: described(nullable(text), 'Title of the pull request.'),
  base_branch: described(nullable(text), 'Branch that the pull request is to be merged into.'),
  fork: described(boolean, 'Whether the pull request comes from a fork.'),
  draft: described(nullable(boolean), 'Whether the pull request is a draft.'),
  labels: described(arrayOf(text), 'Labels of the pull request.'),
});

const filterResultSchema = object({
  rule: described(text, 'Name of the build filter.'),
  outcome: described(enumOf('pass', 'stop'), 'Whether the filter let the event pass.'),
  reason: described(text, 'Reason in a sentence.'),
});

const buildSchema = object({
  id: described(uuid, 'ID of the build.'),
  number: described(integer, 'Number of the build in its pipeline.'),
  url: described(url, 'API URL of the build.'),
});

interface DecisionSource {
  context: Context;
  decision: EventDecision;
  /** Empty in a preview, which creates no builds. */
  pipelineUrl: string;
}

/** One event of a delivery, with the build filters that decided about it. */
const decisionResource = resource<DecisionSource>({
  kind: field(text, 'Kind of the event, such as `push`.', ({ decision }) => decision.kind),
  action: field(nullable(text), 'Action of the event, such as `opened`.', ({ decision }) => decision.action),
  repository: field(nullable(text), 'Repository of the event.', ({ decision }) => decision.repository),
  branch: field(nullable(text), 'Branch of the event.', ({ decision }) => decision.branch),
  tag: field(nullable(text), 'Tag of the event.', ({ decision }) => decision.tag),
  commit: field(nullable(text), 'Commit of the event.', ({ decision }) => decision.commit),
  message: field(nullable(text), 'Beginning of the commit message.', ({ decision }) => decision.message),
  author: field(
    nullable(authorSchema),
    'Author of the commit.',
    ({ decision }) => decision.author && { ...decision.author },
  ),
  pull_request: field(nullable(pullRequestSchema), 'Pull request of the event.', ({ decision }) =>
    presentPullRequest(decision),
  ),
  outcome: field(outcomeSchema, 'What the event led to.', ({ decision }) => decision.outcome),
  reason: field(text, 'Reason of the outcome in a sentence.', ({ decision }) => decision.reason),
  rules: field(arrayOf(filterResultSchema), 'Results of the build filters, in order.', ({ decision }) =>
    decision.rules.map((rule) => ({ ...rule })),
  ),
  build: field(
    nullable(buildSchema),
    'Build that was created; null without one, and for callers who may not see it.',
    presentBuildOfDecision,
  ),
  canceled_build_ids: field(
    arrayOf(uuid),
    'IDs of the builds that were canceled.',
    ({ decision }) => decision.canceledBuildIds,
  ),
});

interface DeliverySource {
  context: Context;
  delivery: ListedDelivery;
  pipelineUrl: string;
  /** Undefined in lists, which leave it out. */
  payload: Json | undefined;
}

/** A delivery from a source provider, with the decision about each of its events. */
export const webhookDeliveryResource = resource<DeliverySource>({
  id: field(uuid, 'ID of the delivery.', ({ delivery }) => delivery.id),
  url: field(
    url,
    'API URL of the delivery.',
    ({ delivery, pipelineUrl }) => `${pipelineUrl}/deliveries/${delivery.id}`,
  ),
  delivery_id: field(text, 'ID of the delivery at the source provider.', ({ delivery }) => delivery.deliveryId),
  provider: field(providerSchema, 'Source provider that sent the delivery.', ({ delivery }) => delivery.sender),
  event: field(text, 'Name of the event at the source provider.', ({ delivery }) => delivery.event),
  state: field(enumOf('pending', 'processed'), 'Whether the delivery has been processed.', ({ delivery }) =>
    delivery.processedAt === null ? 'pending' : 'processed',
  ),
  outcome: field(
    nullable(outcomeSchema),
    'What the delivery led to; null while it is pending.',
    ({ delivery }) => delivery.outcome,
  ),
  reason: field(nullable(text), 'Reason of the outcome in a sentence.', ({ delivery }) => delivery.reason),
  headers: field(arrayOf(text), 'Headers of the request that identify the event.', ({ delivery }) => delivery.headers),
  decisions: field(
    arrayOf(decisionResource.schema),
    'Decisions about the events of the delivery.',
    ({ context, delivery, pipelineUrl }) =>
      presentDecisions(context, delivery.decisions as EventDecision[], pipelineUrl),
  ),
  created_at: field(time, 'Time the delivery arrived.', ({ delivery }) => formatTime(delivery.createdAt)),
  processed_at: field(nullable(time), 'Time the delivery was processed.', ({ delivery }) =>
    timeOrNull(delivery.processedAt),
  ),
  payload: optionalField(anything, 'Payload of the delivery; absent in lists.', ({ payload }) => payload),
});

export const webhookDeliveryPreviewResource = resource<{ context: Context; preview: DeliveryPreview }>({
  provider: field(providerSchema, 'Source provider of the payload.', ({ preview }) => preview.sender),
  event: field(text, 'Name of the event at the source provider.', ({ preview }) => preview.event),
  outcome: field(outcomeSchema, 'What the delivery would lead to.', ({ preview }) => preview.outcome),
  reason: field(text, 'Reason of the outcome in a sentence.', ({ preview }) => preview.reason),
  decisions: field(
    arrayOf(decisionResource.schema),
    'Decisions about the events of the payload.',
    ({ context, preview }) => presentDecisions(context, preview.decisions, ''),
  ),
});

export function presentDelivery(context: Context, delivery: ListedDelivery): Promise<JsonObject> {
  return presentWith(context, delivery, undefined);
}

/** Presents a delivery with its payload, which lists leave out. */
export function presentDeliveryWithPayload(
  context: Context,
  { delivery }: { delivery: ListedDelivery & { payload: Json } },
): Promise<JsonObject> {
  return presentWith(context, delivery, delivery.payload);
}

async function presentWith(context: Context, delivery: ListedDelivery, payload: Json | undefined): Promise<JsonObject> {
  const [organization, pipeline] = await Promise.all([
    context.load.organization.load(delivery.organizationId),
    context.references.pipeline.load(delivery.pipelineId),
  ]);
  const { api } = Urls.of(context).pipeline(
    existing(organization, 'an organization'),
    existing(pipeline, 'a pipeline'),
  );
  return webhookDeliveryResource.present({ context, delivery, pipelineUrl: api, payload });
}

export function presentPreview(context: Context, preview: DeliveryPreview): Promise<JsonObject> {
  return webhookDeliveryPreviewResource.present({ context, preview });
}

function presentDecisions(context: Context, decisions: EventDecision[], pipelineUrl: string): Promise<JsonObject[]> {
  return Promise.all(decisions.map((decision) => decisionResource.present({ context, decision, pipelineUrl })));
}

function presentPullRequest({ pullRequest }: EventDecision): JsonObject | null {
  return (
    pullRequest && {
      id: pullRequest.number,
      title: pullRequest.title,
      base_branch: pullRequest.baseBranch,
      fork: pullRequest.fork,
      draft: pullRequest.draft,
      labels: pullRequest.labels,
    }
  );
}

async function presentBuildOfDecision({ context, decision, pipelineUrl }: DecisionSource): Promise<JsonObject | null> {
  const build = decision.buildId === null ? null : await context.references.build.load(decision.buildId);
  return build && { id: build.id, number: build.number, url: `${pipelineUrl}/builds/${build.number}` };
}
