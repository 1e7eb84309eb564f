import type { ObjectStorage } from './storage.js';

const probeKey = 'health/probe';
const answerWithinMs = 3_000;
const keptForMs = 5_000;

/**
 * Whether objects can be written and read; `reason` describes the failure, `error` is what storage threw, if anything.
 */
export type StorageHealth = { usable: true } | { usable: false; reason: string; error?: unknown };

/**
 * Writes an object of a few bytes under a key and reads it; ends after `patienceMs` milliseconds. Never rejects.
 */
export function probeStorage(storage: ObjectStorage, patienceMs: number, key = probeKey): Promise<StorageHealth> {
  return within(writeAndRead(storage, key), patienceMs);
}

/**
 * Probes storage by writing an object of a few bytes and reading it: a missing bucket, a missing right, a full disk and
 * a lost mount all show. One probe at a time, at most one in five seconds, each ended after three.
 */
export class StorageProbe {
  private probing: Promise<StorageHealth> | null = null;
  private probedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly storage: ObjectStorage) {}

  check(): Promise<StorageHealth> {
    if (this.probing === null || performance.now() - this.probedAt > keptForMs) {
      this.probedAt = performance.now();
      this.probing = probeStorage(this.storage, answerWithinMs);
    }
    return this.probing;
  }
}

async function writeAndRead(storage: ObjectStorage, key: string): Promise<StorageHealth> {
  const bytes = Buffer.from('slipway');
  await storage.put(key, bytes);
  const body = await storage.get(key);
  if (!body) return { usable: false, reason: 'what was stored could not be read back' };
  const pieces: Buffer[] = [];
  for await (const piece of body) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).equals(bytes)
    ? { usable: true }
    : { usable: false, reason: 'what was read back differs from what was stored' };
}

async function within(probe: Promise<StorageHealth>, patienceMs: number): Promise<StorageHealth> {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<StorageHealth>((resolve) => {
    timer = setTimeout(() => resolve({ usable: false, reason: `no answer within ${patienceMs} ms` }), patienceMs);
  });
  const failed = (error: unknown): StorageHealth => ({
    usable: false,
    reason: error instanceof Error ? error.message : String(error),
    error,
  });
  try {
    return await Promise.race([probe.catch(failed), expired]);
  } finally {
    clearTimeout(timer);
  }
}
