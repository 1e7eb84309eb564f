import type { Services } from '../../../services.js';
import { attemptDelivery } from './attempt-delivery.js';
import { abandoned, DeliveryResults, resultOf } from './delivery-results.js';
import { type DueDelivery, leaseDueDeliveries } from './due-deliveries.js';

/** Deliveries under way at once in one process, in all and to one receiver, each on a connection of its own. */
const atOnce = 128;
const atOncePerReceiver = 48;
/** Deliveries of one receiver are leased in batches: the next one when so many have ended that a batch has room. */
const batch = atOncePerReceiver / 2;

/**
 * Sends the due deliveries. Deliveries to one receiver about one subject are sent strictly one after another. A failed
 * delivery is retried for three days with growing pauses; meanwhile the receiver's other deliveries wait, and when it
 * answers again they are sent at once. A receiver that takes its time keeps others from nothing.
 */
export class NotificationSender {
  private readonly sending = new Set<Promise<void>>();
  private readonly receivers = new Map<string, number>();
  private readonly results: DeliveryResults;

  constructor(private readonly services: Services) {
    this.results = new DeliveryResults(services);
  }

  /** Begins to send what is due, as far as there is room; waits for room if there is none. True if more may be due. */
  async round(): Promise<boolean> {
    return (await this.begin()) >= batch;
  }

  /** Gives the number of deliveries that were begun. */
  async begin(): Promise<number> {
    if (this.sending.size >= atOnce) await Promise.race(this.sending);
    const busy = [...this.receivers]
      .filter(([, count]) => count + batch > atOncePerReceiver)
      .map(([receiver]) => receiver);
    const room = { most: atOnce - this.sending.size, perReceiver: batch, busy };
    const due = await leaseDueDeliveries(this.services.db, this.services.clock.now(), room);
    for (const each of due) {
      const sent = this.send(each).finally(() => this.sending.delete(sent));
      this.sending.add(sent);
    }
    return due.length;
  }

  /** Waits until nothing is under way. */
  async settle(): Promise<void> {
    while (this.sending.size > 0) await Promise.all(this.sending);
  }

  private async send(due: DueDelivery): Promise<void> {
    const { receiver } = due.delivery;
    this.receivers.set(receiver, (this.receivers.get(receiver) ?? 0) + 1);
    try {
      await this.results.add(await this.attempt(due));
    } catch (error) {
      this.services.log.error({ deliveryId: due.delivery.id, err: error }, 'a delivery could not be recorded');
    } finally {
      const left = (this.receivers.get(receiver) ?? 1) - 1;
      if (left > 0) this.receivers.set(receiver, left);
      else this.receivers.delete(receiver);
      // The next delivery about this subject may be due by now, and there is room for a batch.
      if (left + batch <= atOncePerReceiver) this.services.wake('notifications');
    }
  }

  private async attempt(due: DueDelivery) {
    const { delivery, notification, service } = due;
    if (!notification || (delivery.serviceId !== null && !service))
      return abandoned(delivery, 'The service or the event was deleted.');
    if (service && !service.enabled) return abandoned(delivery, 'The service is disabled.');
    const attempt = await attemptDelivery(this.services, due, notification);
    return resultOf(delivery, attempt, this.services.clock.now());
  }
}

/** Sends the due deliveries and waits for them; true if there were any. */
export async function deliverNotifications(services: Services): Promise<boolean> {
  const sender = new NotificationSender(services);
  const begun = await sender.begin();
  await sender.settle();
  return begun > 0;
}
