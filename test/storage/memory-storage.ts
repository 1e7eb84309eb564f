import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { ByteRange, ObjectStat, ObjectStorage } from '../../src/storage/storage.js';

/** Objects in a map, for tests whose subject is not the storage. */
export class MemoryStorage implements ObjectStorage {
  readonly objects = new Map<string, { bytes: Uint8Array; modifiedAt: Date }>();

  /** Number of objects read. */
  reads = 0;

  /** Another storage with the same objects. */
  copy(): MemoryStorage {
    const copy = new MemoryStorage();
    for (const [key, object] of this.objects) copy.objects.set(key, object);
    return copy;
  }

  async put(key: string, body: Uint8Array | Readable): Promise<number> {
    const bytes = body instanceof Readable ? await buffer(body) : body;
    this.objects.set(key, { bytes, modifiedAt: new Date() });
    return bytes.length;
  }

  async putIfAbsent(key: string, body: Uint8Array): Promise<boolean> {
    if (this.objects.has(key)) return false;
    await this.put(key, body);
    return true;
  }

  async get(key: string, { start, end }: ByteRange = {}): Promise<Readable | null> {
    const found = this.objects.get(key);
    this.reads++;
    return found ? Readable.from([Buffer.from(found.bytes.subarray(start, end))]) : null;
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
    for (const key of this.objects.keys()) if (key.startsWith(prefix)) this.objects.delete(key);
  }

  async *list(prefix: string, after = ''): AsyncGenerator<ObjectStat> {
    for (const key of [...this.objects.keys()].sort()) {
      const found = key.startsWith(prefix) && key > after ? await this.stat(key) : null;
      if (found) yield found;
    }
  }
}
