import { unsealOwn } from '../../../auth/sealed.js';
import { type Attempt, reasonOf } from '../../../channels/channel.js';
import { noFailedJobs, tellsOfFailure } from '../../../channels/failed-jobs.js';
import { channels } from '../../../channels/channels.js';
import type { SentEvent } from '../../../domain/integrations/notification-events.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import { targetPurpose } from '../../../engine/notifications/target-purpose.js';
import type { Services } from '../../../services/services.js';
import type { DueDelivery } from './due-deliveries.js';
import { readFailedJobs } from './read-failed-jobs.js';

/** Sends a delivery once, by its channel, with the payload that it shares with others. Never throws. */
export async function attemptDelivery(
  services: Services,
  { delivery, service, sender }: DueDelivery,
  { event, payload }: { event: SentEvent; payload: Buffer },
): Promise<Attempt> {
  const started = performance.now();
  const took = () => Math.round(performance.now() - started);
  try {
    const target = delivery.sealedTarget
      ? (JSON.parse(unsealOwn(services.secretKey, targetPurpose, delivery.sealedTarget)) as JsonObject)
      : {};
    const { id: deliveryId, url } = delivery;
    const answer = await channels[delivery.channel].send(services, {
      deliveryId,
      url,
      event,
      payload,
      sender,
      service,
      target,
      failedJobs: async (facts) =>
        tellsOfFailure(facts)
          ? readFailedJobs(services, { buildId: facts.buildId, stepId: facts.step?.id ?? null })
          : noFailedJobs,
    });
    return { ...answer, durationMs: took() };
  } catch (error) {
    return { verdict: 'retry', reply: null, error: reasonOf(error), durationMs: took() };
  }
}
