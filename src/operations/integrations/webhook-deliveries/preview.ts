import { z } from 'zod';
import { type EventDecision, summarise } from '../../../domain/integrations/webhook-deliveries/event-decision.js';
import {
  type DeliverySender,
  deliverySenders,
} from '../../../domain/integrations/webhook-deliveries/provider-event.js';
import { readDelivery } from '../../../domain/integrations/webhook-deliveries/read-delivery.js';
import { limits } from '../../../domain/limits/limits.js';
import { type ProviderId } from '../../../domain/integrations/provider.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import { pipelineAddress } from '../../../core/address.js';
import { findPipeline } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import { filledText, isStorableJson, oneOf, orMissing, unstorable } from '../../../domain/input-text.js';
import { decideEvent } from '../../../engine/webhook-deliveries/decide-event.js';

/** Outcome of a delivery, with the decision about each of its events. */
export interface DeliveryPreview {
  sender: DeliverySender;
  event: string;
  outcome: EventDecision['outcome'];
  reason: string;
  decisions: EventDecision[];
}

const input = z.object({
  pipeline: pipelineAddress,
  /** Provider that sent the payload; the pipeline's provider by default. */
  provider: oneOf(deliverySenders).nullish(),
  /** The provider's name of the event, from its header. */
  event: filledText(limits.webhookEventLength),
  payload: z
    .record(z.string(), z.json(), { error: orMissing('must be an object') })
    .refine((payload) => isStorableJson(payload), unstorable),
});

/** Decides about a payload without storing it or building anything. */
export const previewDelivery = defineOperation({
  name: 'webhook-delivery.preview',
  summary: 'Previews the decision about a delivery of a source provider.',
  kind: 'query',
  scope: 'read_pipelines',
  access: 'build',
  input,
  subject: (context, { pipeline }) => findPipeline(context, pipeline),
  run: async (context, { provider: providerName, event: name, payload }, scope): Promise<DeliveryPreview> => {
    const sender = providerName ?? senders[scope.pipeline.providerId as ProviderId];
    const decisions: EventDecision[] = [];
    for (const event of readDelivery(sender, name, payload as JsonObject).slice(0, limits.webhookEventsPerDelivery)) {
      decisions.push((await decideEvent(context, scope, event)).decision);
    }
    return { sender, event: name, ...summarise(decisions), decisions };
  },
});

/** The sender format of a pipeline's provider; the most widespread one for other hosts. */
const senders: Record<ProviderId, DeliverySender> = {
  github: 'github',
  github_enterprise: 'github',
  gitlab: 'gitlab',
  gitlab_ee: 'gitlab',
  bitbucket: 'bitbucket',
  bitbucket_server: 'bitbucket_server',
  git: 'gitea',
};
