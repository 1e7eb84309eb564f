import { z } from 'zod';
import { type EventDecision, shownEvent, summarise } from '../../domain/delivery/event-decision.js';
import { type DeliverySender, deliverySenders } from '../../domain/delivery/provider-event.js';
import { readDelivery } from '../../domain/delivery/read-delivery.js';
import { limits } from '../../domain/limits.js';
import { type ProviderId } from '../../domain/provider.js';
import type { JsonObject } from '../../domain/steps/step.js';
import { pipelineAddress } from '../address.js';
import { findPipeline } from '../find.js';
import { defineOperation } from '../operation.js';
import { filledText, isStorableJson, oneOf, orMissing, unstorable } from '../text.js';
import { decideEvent } from './decide-event.js';

/** What would come of a delivery. */
export interface DeliveryPreview {
  sender: DeliverySender;
  event: string;
  outcome: EventDecision['outcome'];
  reason: string;
  decisions: EventDecision[];
}

const input = z.object({
  pipeline: pipelineAddress,
  /** Whose payload it is; that of the pipeline's provider where it is not said. */
  provider: oneOf(deliverySenders).nullish(),
  /** The provider's word for the event, as its header has it. */
  event: filledText(limits.webhookEventLength),
  payload: z.record(z.string(), z.json(), { error: orMissing('must be an object') }).refine((payload) => isStorableJson(payload), unstorable),
});

/** A dry run: payload in, decision out, nothing stored and nothing built. */
export const previewDelivery = defineOperation({
  name: 'webhook-delivery.preview',
  summary: 'Says what a delivery of a source provider would do, without doing it.',
  kind: 'query',
  scope: 'read_pipelines',
  access: 'build',
  input,
  subject: (context, { pipeline }) => findPipeline(context, pipeline),
  run: async (context, { provider: given, event: name, payload }, place): Promise<DeliveryPreview> => {
    const sender = given ?? senders[place.pipeline.providerId as ProviderId];
    const decisions: EventDecision[] = [];
    for (const event of readDelivery(sender, name, payload as JsonObject).slice(0, limits.webhookEventsPerDelivery)) {
      const { decision, planned } = await decideEvent(context, place, event);
      const { outcome, reason, rules } = decision;
      decisions.push({ ...shownEvent(event, planned?.branch ?? null), outcome, reason, rules, buildId: null, canceledBuildIds: [] });
    }
    return { sender, event: name, ...summarise(decisions), decisions };
  },
});

/** What a pipeline's provider speaks; other hosts most often what the widest known one does. */
const senders: Record<ProviderId, DeliverySender> = {
  github: 'github', github_enterprise: 'github', gitlab: 'gitlab', gitlab_ee: 'gitlab', bitbucket: 'bitbucket', bitbucket_server: 'bitbucket_server', git: 'gitea',
};
