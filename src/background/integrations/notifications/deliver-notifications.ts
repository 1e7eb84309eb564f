import { limits } from '../../../domain/limits/limits.js';
import type { Services } from '../../../services/services.js';
import { inSpan } from '../../../tracing/tracing.js';
import { attemptDelivery } from './attempt-delivery.js';
import { abandoned, resultOf } from './delivery-result.js';
import { DeliveryResults } from './delivery-results.js';
import { type DueDelivery, leaseDueDeliveries } from './due-deliveries.js';
import { SharedPayloads } from './shared-payloads.js';
import { WorkClaims } from '../../work/work-claims.js';

/** Deliveries under way at once in one process, in all and to one receiver, each on a connection of its own. */
const atOnce = 128;
const atOncePerReceiver = 48;
/** Deliveries of one receiver are leased in batches: the next one when so many have ended that a batch has room. */
const batch = atOncePerReceiver / 2;

const deleted = 'The service or the event was deleted.';

/**
 * Sends the due deliveries. Deliveries to one receiver about one subject are sent strictly one after another. A failed
 * delivery is retried for three days with growing pauses; meanwhile the receiver's other deliveries wait, and when it
 * answers again they are sent at once. A receiver that takes its time keeps others from nothing. The payloads of all
 * that is under way have a bound in bytes, each counted once however many receivers it goes to; a larger one is sent
 * alone.
 */
export class NotificationSender {
  private readonly sending = new Set<Promise<void>>();
  /** Batches whose claims end with the last of their deliveries. */
  private readonly ending = new Set<Promise<void>>();
  private readonly receivers = new Map<string, number>();
  private readonly results: DeliveryResults;
  private readonly payloads: SharedPayloads;

  constructor(
    private readonly services: Services,
    private readonly claims = new WorkClaims(services),
  ) {
    this.payloads = new SharedPayloads(services.db);
    this.results = new DeliveryResults(services);
  }

  /** Begins to send what is due, as far as there is room; waits for room if there is none. True if more may be due. */
  async round(): Promise<boolean> {
    return (await this.begin()) >= batch;
  }

  /** Gives the number of deliveries that were begun. */
  async begin(): Promise<number> {
    if (this.sending.size >= atOnce) await Promise.race(this.sending);
    const suspects = await this.sendSuspect();
    const claim = this.claims.newClaim();
    try {
      const due = await this.lease(claim);
      const sent = due.map((each) => {
        const sending = this.claims.beside(() => this.send(each)).finally(() => this.sending.delete(sending));
        this.sending.add(sending);
        return sending;
      });
      const ended = Promise.all(sent)
        .then(() => this.claims.end(claim))
        .finally(() => this.ending.delete(ended));
      if (due.length > 0) this.ending.add(ended);
      else await this.claims.end(claim);
      return suspects + due.length;
    } catch (error) {
      await this.claims.end(claim);
      throw error;
    }
  }

  /**
   * Sends one of the deliveries that were under way when a process died, with nothing beside it. Gives their number.
   */
  private async sendSuspect(): Promise<number> {
    const suspects = this.claims.suspectsOf('notifications');
    if (suspects.length === 0) return 0;
    const claim = this.claims.newClaim();
    try {
      const [due] = await this.lease(claim, suspects);
      if (due) await this.claims.alone('notifications', due.delivery.id, () => this.send(due));
      return due ? 1 : 0;
    } finally {
      await this.claims.end(claim);
    }
  }

  /** Leases deliveries as far as there is room, and reads the payloads that are not in memory yet. */
  private async lease(claim: string, suspects?: readonly string[]): Promise<DueDelivery[]> {
    const due = await leaseDueDeliveries(this.services.db, this.services.clock.now(), {
      most: atOnce - this.sending.size,
      perReceiver: batch,
      busy: suspects
        ? []
        : [...this.receivers].filter(([, count]) => count + batch > atOncePerReceiver).map(([receiver]) => receiver),
      bytes: Math.max(0, limits.notificationBytesInFlight - this.payloads.bytes),
      loaded: this.payloads.ids,
      claim: { id: claim, processId: this.claims.processId },
      ...(suspects ? { suspects } : {}),
    });
    for (const { delivery, notification } of due)
      this.payloads.reserve(delivery.notificationId, notification?.payloadBytes ?? 0);
    try {
      await this.payloads.load();
    } catch (error) {
      for (const { delivery } of due) this.payloads.release(delivery.notificationId);
      throw error;
    }
    return due;
  }

  /** Waits until nothing is under way. */
  async settle(): Promise<void> {
    while (this.sending.size + this.ending.size > 0) await Promise.all([...this.sending, ...this.ending]);
  }

  private async send(due: DueDelivery): Promise<void> {
    const { receiver } = due.delivery;
    this.receivers.set(receiver, (this.receivers.get(receiver) ?? 0) + 1);
    try {
      await this.results.add(await this.attempt(due));
    } catch (error) {
      this.services.log.error({ deliveryId: due.delivery.id, err: error }, 'a delivery could not be recorded');
    } finally {
      this.payloads.release(due.delivery.notificationId);
      const left = (this.receivers.get(receiver) ?? 1) - 1;
      if (left > 0) this.receivers.set(receiver, left);
      else this.receivers.delete(receiver);
      // The next delivery about this subject may be due by now, and there is room for a batch.
      if (left + batch <= atOncePerReceiver) this.services.wake('notifications');
    }
  }

  private async attempt(due: DueDelivery) {
    const { delivery, notification, service } = due;
    if (!notification || (delivery.serviceId !== null && !service)) return abandoned(delivery, deleted);
    if (service && !service.enabled) return abandoned(delivery, 'The service is disabled.');
    const payload = this.payloads.get(delivery.notificationId);
    if (!payload) return abandoned(delivery, deleted);
    const { event } = notification;
    const attributes = { 'slipway.delivery': delivery.id, 'slipway.event': event };
    const attempt = await inSpan({ name: 'deliver notification', kind: 'client', attributes }, () =>
      attemptDelivery(this.services, due, { event, payload }),
    );
    return resultOf(delivery, attempt, this.services.clock.now());
  }
}
