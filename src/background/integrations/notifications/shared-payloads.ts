import type { Db } from '../../../entities/database.js';

interface SharedPayload {
  bytes: number;
  /** As UTF-8; null if the notification is gone, absent until it is read. */
  payload?: Buffer | null;
  users: number;
}

/**
 * Payloads of the deliveries under way: one copy of each, however many receivers it goes to, until the last of them
 * ends.
 */
export class SharedPayloads {
  private readonly payloads = new Map<string, SharedPayload>();

  constructor(private readonly db: Db) {}

  /** Bytes of the payloads that are in memory, or about to be. */
  get bytes(): number {
    let sum = 0;
    for (const { bytes } of this.payloads.values()) sum += bytes;
    return sum;
  }

  /** Ids of their notifications. */
  get ids(): string[] {
    return [...this.payloads.keys()];
  }

  /** Counts a delivery that is about to need the payload of a notification; each calls {@link release} once. */
  reserve(notificationId: string, bytes: number): void {
    const shared = this.payloads.get(notificationId);
    if (shared) shared.users += 1;
    else this.payloads.set(notificationId, { bytes, users: 1 });
  }

  release(notificationId: string): void {
    const shared = this.payloads.get(notificationId);
    if (!shared) return;
    shared.users -= 1;
    if (shared.users === 0) this.payloads.delete(notificationId);
  }

  /** Reads the payloads that are reserved and not read yet. */
  async load(): Promise<void> {
    const absent = [...this.payloads].filter(([, { payload }]) => payload === undefined);
    if (absent.length === 0) return;
    const rows = await this.db
      .selectFrom('notifications')
      .select(['id', 'payload'])
      .where(
        'id',
        'in',
        absent.map(([id]) => id),
      )
      .execute();
    const read = new Map(rows.map(({ id, payload }) => [id, Buffer.from(payload)]));
    for (const [id, shared] of absent) shared.payload = read.get(id) ?? null;
  }

  /** A payload that was reserved and loaded; null if its notification is gone. */
  get(notificationId: string): Buffer | null {
    const payload = this.payloads.get(notificationId)?.payload;
    if (payload === undefined) throw new Error('the payload of a notification was not read');
    return payload;
  }
}
