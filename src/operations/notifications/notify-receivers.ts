import type { Context } from '../../context.js';
import { evaluateCondition } from '../../domain/conditional/condition.js';
import { notifyWebhookEvents } from '../../domain/notification-events.js';
import { notifyRequests } from '../../domain/notify.js';
import { notificationFacts } from './notification-facts.js';
import type { Happening, Receiver } from './receivers.js';

/** The URLs that the build's own pipeline document asks to be told at, of those whose condition holds (rest-facts 6.2). */
export async function notifyReceivers(context: Context, { event, build, job }: Happening): Promise<Receiver[]> {
  if (!build || job || build.notify.length === 0 || !notifyWebhookEvents.has(event)) return [];
  const { webhooks } = notifyRequests(build.notify);
  if (webhooks.length === 0) return [];
  const facts = webhooks.some((webhook) => webhook.condition !== null) ? await notificationFacts(context, build) : { values: {} };
  const wanted = webhooks.filter(({ condition }) => {
    if (condition === null) return true;
    const result = evaluateCondition(condition, facts, 'build_notification');
    return result.ok && result.value;
  });
  return [...new Set(wanted.map((webhook) => webhook.url))].map((url) => ({ serviceId: null, url }));
}
