import type { Context } from '../../request/context.js';
import { evaluateCondition } from '../../domain/pipelines/conditions/condition.js';
import { notifyWebhookEvents } from '../../domain/integrations/notification-events.js';
import { notifyRequests } from '../../domain/integrations/notify.js';
import { notificationFacts } from './notification-facts.js';
import type { NotifiableEvent, Receiver } from './subscribed-services.js';

/** Returns the `notify` webhooks of the build's pipeline document whose condition holds. */
export async function notifyReceivers(context: Context, { event, build, job }: NotifiableEvent): Promise<Receiver[]> {
  if (!build || job || build.notify.length === 0 || !notifyWebhookEvents.has(event)) return [];
  const { webhooks } = notifyRequests(build.notify);
  if (webhooks.length === 0) return [];
  const facts = webhooks.some((webhook) => webhook.condition !== null)
    ? await notificationFacts(context, build)
    : { values: {} };
  const matching = webhooks.filter(({ condition }) => {
    if (condition === null) return true;
    const result = evaluateCondition(condition, facts, 'build_notification');
    return result.ok && result.value;
  });
  return [...new Set(matching.map((webhook) => webhook.url))].map((url) => ({ serviceId: null, url }));
}
