import type { Readable } from 'node:stream';

/** Why storage refused or failed; the message names the key, never a path, a host or a credential. */
export type StorageErrorCode = 'invalid_key' | 'invalid_url' | 'too_large' | 'full' | 'unavailable';

export class StorageError extends Error {
  constructor(
    readonly code: StorageErrorCode,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.name = 'StorageError';
  }
}

export interface PutOptions {
  /** Content type to keep with the object, where the storage can. */
  contentType?: string;
  /**
   * Nobody reads the key before `put` has returned, and every body of this key says the same. A kill meanwhile may
   * leave a part of the body, which the next `put` of the key replaces; this spares the detour by another name.
   */
  unread?: boolean;
  /** Most bytes to take: a longer body is refused with `too_large` and leaves nothing behind. Default 5 GiB. */
  maxBytes?: number;
  /** Bytes of each part of a long body, where the storage takes parts; two are in memory. Default 5 MiB. */
  partBytes?: number;
  /**
   * A body that cannot be made again soon: where the storage is away, each part is sent again for minutes rather than
   * seconds before the whole is given up.
   */
  patient?: boolean;
}

/** Metadata of a stored object. */
export interface ObjectStat {
  key: string;
  size: number;
  modifiedAt: Date;
}

/** Part of an object in bytes; `end` is not included and may lie beyond the object. */
export interface ByteRange {
  start?: number;
  end?: number;
}

/**
 * Immutable objects by key: log chunks and artifacts. Once `put` returns, the object survives a kill of the
 * process at any moment; before that, readers see the former object or none, never a part.
 *
 * Keys are `/`-separated segments of letters, digits and `. _ = ~ -`, none beginning with a dot, 512 characters
 * in all. A prefix for `list` and `deletePrefix` is a folder: such a key followed by `/`, or empty for `list`.
 */
export interface ObjectStorage {
  /** Stores an object, replacing one of the same key. Returns its size. */
  put(key: string, body: Uint8Array | Readable, options?: PutOptions): Promise<number>;
  /** Stores an object unless the key is taken. Returns whether it was stored. */
  putIfAbsent(key: string, body: Uint8Array, options?: PutOptions): Promise<boolean>;
  /** Reads an object or part of it; null if it does not exist. */
  get(key: string, range?: ByteRange): Promise<Readable | null>;
  /** Returns size and time of an object; null if it does not exist. */
  stat(key: string): Promise<ObjectStat | null>;
  /** Deletes an object; succeeds if it does not exist. */
  delete(key: string): Promise<void>;
  /** Gives an object another key, replacing an object of that key. Returns false if there is no object to move. */
  move(from: string, to: string): Promise<boolean>;
  /** Deletes everything in a folder. */
  deletePrefix(prefix: string): Promise<void>;
  /** All objects in a folder and below, ordered by key; with `after` those whose keys come after it. */
  list(prefix: string, after?: string): AsyncIterable<ObjectStat>;
}

/** Largest object where the caller sets no limit: that of one artifact. */
export const defaultMaxBytes = 5 * 1024 ** 3;

const keyPattern = /^[A-Za-z0-9_=~-][A-Za-z0-9._=~-]*(?:\/[A-Za-z0-9_=~-][A-Za-z0-9._=~-]*)*$/;

/** Throws `invalid_key` for a key of an invalid form; a valid key cannot leave the storage's root. */
export function checkKey(key: string): void {
  if (key.length > 512 || !keyPattern.test(key)) {
    throw new StorageError('invalid_key', `Not a storage key: ${JSON.stringify(key.slice(0, 100))}`);
  }
}

/** Throws `invalid_key` unless the prefix is a folder. */
export function checkPrefix(prefix: string): void {
  if (!prefix.endsWith('/'))
    throw new StorageError('invalid_key', `A prefix ends in "/": ${JSON.stringify(prefix.slice(0, 100))}`);
  checkKey(prefix.slice(0, -1));
}

/** The error for a body above its limit. */
export function tooLarge(key: string, maxBytes: number): StorageError {
  return new StorageError('too_large', `Object ${key} is larger than ${maxBytes} bytes`);
}
