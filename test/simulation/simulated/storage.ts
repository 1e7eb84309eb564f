import { Readable } from 'node:stream';
import type { Clock } from '../../../src/services/clock.js';
import {
  type ByteRange,
  checkKey,
  checkPrefix,
  type ObjectStat,
  type ObjectStorage,
  StorageError,
} from '../../../src/storage/storage.js';
import type { Faults } from '../faults.js';

/** Objects in memory, which survive crashes, with the times of a simulated clock; fails and hangs when it is to. */
export class SimulatedStorage implements ObjectStorage {
  readonly objects = new Map<string, { bytes: Buffer; modifiedAt: Date }>();
  private held: (() => void)[] = [];
  private onHold: () => void = () => undefined;

  constructor(
    private readonly clock: Clock,
    private readonly faults: Faults,
  ) {}

  /** Resolves when the next write hangs. */
  nextHold(): Promise<void> {
    return new Promise((resolve) => {
      this.onHold = resolve;
    });
  }

  /** Lets the write that hangs longest go on. */
  release(): void {
    this.held.shift()?.();
  }

  /** The process died: writes that hang never have an effect. */
  forget(): void {
    this.held = [];
  }

  async put(key: string, body: Uint8Array | Readable): Promise<number> {
    checkKey(key);
    const bytes = body instanceof Uint8Array ? Buffer.from(body) : Buffer.concat(await body.toArray());
    if (this.faults.takeForStorage('storageFails')) throw new StorageError('full', 'No space left in storage');
    if (this.faults.takeForStorage('storageHangs')) await this.hang();
    this.objects.set(key, { bytes, modifiedAt: this.clock.now() });
    if (this.faults.takeForStorage('storageReplyLost')) throw new StorageError('unavailable', 'Storage gave no answer');
    return bytes.length;
  }

  async putIfAbsent(key: string, body: Uint8Array): Promise<boolean> {
    if (this.objects.has(key)) return false;
    await this.put(key, body);
    return true;
  }

  async get(key: string, { start = 0, end = Infinity }: ByteRange = {}): Promise<Readable | null> {
    const found = this.objects.get(key);
    return found ? Readable.from([found.bytes.subarray(start, Math.min(end, found.bytes.length))]) : null;
  }

  async stat(key: string): Promise<ObjectStat | null> {
    const found = this.objects.get(key);
    return found ? { key, size: found.bytes.length, modifiedAt: found.modifiedAt } : null;
  }

  async delete(key: string): Promise<void> {
    this.objects.delete(key);
  }

  async move(from: string, to: string): Promise<boolean> {
    const object = this.objects.get(from);
    if (!object) return false;
    this.objects.set(to, object);
    this.objects.delete(from);
    return true;
  }

  async deletePrefix(prefix: string): Promise<void> {
    checkPrefix(prefix);
    for (const key of [...this.objects.keys()]) if (key.startsWith(prefix)) await this.delete(key);
  }

  async *list(prefix: string): AsyncGenerator<ObjectStat> {
    for (const key of [...this.objects.keys()].sort()) {
      const found = key.startsWith(prefix) ? await this.stat(key) : null;
      if (found) yield found;
    }
  }

  private async hang(): Promise<void> {
    const held = new Promise<void>((resolve) => this.held.push(resolve));
    this.onHold();
    await held;
  }
}
