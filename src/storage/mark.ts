import { buffer } from 'node:stream/consumers';
import type { ObjectStorage } from './storage.js';

/**
 * The object by which a storage says whose it is. It lies beside the folders of objects, so no listing of them meets
 * it.
 */
export const markKey = 'installation.json';

const mostBytes = 4096;

/** Whose storage it is, as the storage itself says. */
export interface StorageMark {
  /** Id of the installation whose objects these are. */
  installationId: string;
  /**
   * Counts up as the installation's database does; a database that lags behind was restored, or is not the only one.
   */
  stamp: number;
  /** Objects stored before this moment may be those of others; null where the storage was empty when it was marked. */
  ownedSince: Date | null;
}

/** Reads the mark: null if the storage has none, `unreadable` if the object of that key is not a mark. */
export async function readMark(storage: ObjectStorage): Promise<StorageMark | 'unreadable' | null> {
  const body = await storage.get(markKey, { end: mostBytes });
  return body && parseMark((await buffer(body)).toString('utf8'));
}

/** Stores a mark unless the storage has one. Returns whether it was stored. */
export function createMark(storage: ObjectStorage, mark: StorageMark): Promise<boolean> {
  return storage.putIfAbsent(markKey, bytesOf(mark), { contentType: 'application/json' });
}

/** Stores a mark in place of the present one. */
export async function replaceMark(storage: ObjectStorage, mark: StorageMark): Promise<void> {
  await storage.put(markKey, bytesOf(mark), { contentType: 'application/json' });
}

function bytesOf({ installationId, stamp, ownedSince }: StorageMark): Buffer {
  return Buffer.from(
    `${JSON.stringify({ installation: installationId, stamp, owned_since: ownedSince?.toISOString() ?? null })}\n`,
  );
}

function parseMark(text: string): StorageMark | 'unreadable' {
  let json: { installation?: unknown; stamp?: unknown; owned_since?: unknown } | null;
  try {
    json = JSON.parse(text) as typeof json;
  } catch {
    return 'unreadable';
  }
  const { installation, stamp, owned_since: since } = json ?? {};
  if (typeof installation !== 'string' || typeof stamp !== 'number' || !Number.isSafeInteger(stamp))
    return 'unreadable';
  const ownedSince = typeof since === 'string' ? new Date(since) : null;
  if (ownedSince === null ? since !== null : Number.isNaN(ownedSince.getTime())) return 'unreadable';
  return { installationId: installation, stamp, ownedSince };
}
