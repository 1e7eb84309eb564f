import { randomUUID } from 'node:crypto';
import { closeSync, constants, createWriteStream, fsync, open as openByNumber, write } from 'node:fs';
import { link, mkdir, open, opendir, rename, rm, rmdir, stat, unlink, type FileHandle } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { LimitBytes } from './limit-bytes.js';
import { SharedSync } from './shared-sync.js';
import {
  checkKey,
  checkPrefix,
  defaultMaxBytes,
  StorageError,
  tooLarge,
  type ByteRange,
  type ObjectStat,
  type ObjectStorage,
  type PutOptions,
} from './storage.js';

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

/** A temporary file not written to for a day, in milliseconds, belongs to no upload any more. */
const abandonedAfter = 24 * 3600 * 1000;

const absent = new Set(['ENOENT', 'ENOTDIR', 'EISDIR']);

function failure(key: string, error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  const full = ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(codeOf(error));
  return full
    ? new StorageError('full', 'No space left in storage', { cause: error })
    : new StorageError('unavailable', `Storage failed for ${key} (${codeOf(error) || 'unknown error'})`, {
        cause: error,
      });
}

/**
 * Objects as files below one directory. A body goes to a temporary file, is flushed to the disk and then
 * renamed, so that a reader never sees half of it and an acknowledged object survives a kill. Objects that come to one
 * folder at the same moment share the sync of the folder.
 */
export class DiskStorage implements ObjectStorage {
  private readonly root: string;
  /** Keys cannot begin with a dot, so temporary files never meet an object. */
  private readonly temporary: string;
  private prepared: Promise<void> | null = null;
  private readonly folders = new SharedSync(syncDirectory);

  constructor(directory: string) {
    this.root = resolve(directory);
    this.temporary = join(this.root, '.tmp');
  }

  async put(key: string, body: Uint8Array | Readable, options: PutOptions = {}): Promise<number> {
    return this.store(key, body, options, rename);
  }

  async putIfAbsent(key: string, body: Uint8Array, options: PutOptions = {}): Promise<boolean> {
    try {
      // A hard link fails where the name is taken, in one step with its creation.
      await this.store(key, body, options, link);
      return true;
    } catch (error) {
      if (error instanceof StorageError && codeOf(error.cause) === 'EEXIST') return false;
      throw error;
    }
  }

  async get(key: string, { start = 0, end = Infinity }: ByteRange = {}): Promise<Readable | null> {
    const path = this.path(key);
    let file: FileHandle;
    try {
      file = await open(path, 'r');
    } catch (error) {
      if (absent.has(codeOf(error))) return null;
      throw failure(key, error);
    }
    if (end <= start) {
      await file.close();
      return Readable.from([]);
    }
    return file.createReadStream({ start, end: end - 1 });
  }

  async stat(key: string): Promise<ObjectStat | null> {
    try {
      const stats = await stat(this.path(key));
      return stats.isFile() ? { key, size: stats.size, modifiedAt: stats.mtime } : null;
    } catch (error) {
      if (absent.has(codeOf(error))) return null;
      throw failure(key, error);
    }
  }

  async delete(key: string): Promise<void> {
    const path = this.path(key);
    try {
      await unlink(path);
      await this.removeEmpty(dirname(path));
    } catch (error) {
      if (!absent.has(codeOf(error))) throw failure(key, error);
    }
  }

  async move(from: string, to: string): Promise<boolean> {
    const [source, target] = [this.path(from), this.path(to)];
    try {
      // `placeIn` takes a missing name for a missing folder, so the object is looked for first.
      if (!(await this.stat(from))) return false;
      await this.placeIn(dirname(target), () => rename(source, target));
      await this.folders.run(dirname(target));
      await this.removeEmpty(dirname(source));
      return true;
    } catch (error) {
      if (absent.has(codeOf(error))) return false;
      throw failure(from, error);
    }
  }

  async deletePrefix(prefix: string): Promise<void> {
    checkPrefix(prefix);
    const path = join(this.root, prefix);
    try {
      await rm(path, { recursive: true, force: true });
      await this.removeEmpty(dirname(path));
    } catch (error) {
      throw failure(prefix, error);
    }
  }

  async *list(prefix: string, after = ''): AsyncGenerator<ObjectStat> {
    if (prefix !== '') checkPrefix(prefix);
    yield* this.walk(prefix, after);
  }

  /** Names sorted with folders as `name/`, which is the order of whole keys. */
  private async *walk(prefix: string, after: string): AsyncGenerator<ObjectStat> {
    const names: string[] = [];
    try {
      for await (const entry of await opendir(join(this.root, prefix))) {
        if (!entry.name.startsWith('.')) names.push(entry.isDirectory() ? `${entry.name}/` : entry.name);
      }
    } catch (error) {
      if (!absent.has(codeOf(error))) throw failure(prefix, error);
    }
    for (const name of names.sort((a, b) => (a < b ? -1 : 1))) {
      const key = prefix + name;
      // Of a folder that lies before the place, only one that leads to it can hold anything after it.
      if (key <= after && !after.startsWith(key)) continue;
      if (name.endsWith('/')) yield* this.walk(key, after);
      else if (key > after) {
        const stats = await this.stat(prefix + name);
        if (stats) yield stats;
      }
    }
  }

  private async store(
    key: string,
    body: Uint8Array | Readable,
    { maxBytes = defaultMaxBytes, unread = false }: PutOptions,
    place: (from: string, to: string) => Promise<void>,
  ): Promise<number> {
    const path = this.path(key);
    if (unread && body instanceof Uint8Array && (await this.storeInPlace(key, path, body, maxBytes)))
      return body.length;
    const part = join(this.temporary, randomUUID());
    let moved = false;
    try {
      await (this.prepared ??= this.prepare());
      const size = await writeDurably(part, body, key, maxBytes);
      await this.placeIn(dirname(path), () => place(part, path));
      moved = place === rename;
      await this.folders.run(dirname(path));
      return size;
    } catch (error) {
      // The folder may have vanished: the next write creates it again.
      this.prepared = null;
      throw failure(key, error);
    } finally {
      // A leftover that no key can name; it must not hide the outcome.
      if (!moved) await rm(part, { force: true }).catch(() => undefined);
    }
  }

  /**
   * Writes a file under its own name; false, with nothing done, where there is one of the name: only a whole one may
   * replace it.
   */
  private async storeInPlace(key: string, path: string, body: Uint8Array, maxBytes: number): Promise<boolean> {
    try {
      await this.placeIn(dirname(path), async () => writeDurably(path, body, key, maxBytes));
      await this.folders.run(dirname(path));
      return true;
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false;
      throw failure(key, error);
    }
  }

  /** Creates the folder of temporary files and removes those left by a killed process. */
  private async prepare(): Promise<void> {
    await mkdir(this.temporary, { recursive: true });
    for await (const { name } of await opendir(this.temporary)) {
      const path = join(this.temporary, name);
      const stats = await stat(path).catch(() => null);
      if (stats && Date.now() - stats.mtimeMs > abandonedAfter) await rm(path, { force: true });
    }
  }

  /**
   * Runs the step, which most often finds its folder there; creates the folder if not, also when a concurrent delete
   * has removed it in between.
   */
  private async placeIn(folder: string, step: () => Promise<unknown>): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return void (await step());
      } catch (error) {
        if (codeOf(error) !== 'ENOENT' || attempt === 6) throw error;
      }
      await mkdir(folder, { recursive: true });
    }
  }

  private async removeEmpty(folder: string): Promise<void> {
    for (let path = folder; path.startsWith(`${this.root}/`); path = dirname(path)) {
      try {
        await rmdir(path);
      } catch {
        // Not empty, or gone already: either way nothing is left to do above it.
        return;
      }
    }
  }

  private path(key: string): string {
    checkKey(key);
    return join(this.root, key);
  }
}

async function writeDurably(path: string, body: Uint8Array | Readable, key: string, maxBytes: number): Promise<number> {
  if (body instanceof Uint8Array) {
    if (body.length > maxBytes) throw tooLarge(key, maxBytes);
    await writeSynced(path, body);
    return body.length;
  }
  const limit = new LimitBytes(key, maxBytes);
  // `flush` syncs the file before it is closed.
  await pipeline(body, limit, createWriteStream(path, { flags: 'wx', flush: true }));
  return limit.bytes;
}

const openFile = promisify(openByNumber);
const writeFile = promisify(write);
const syncFile = promisify(fsync);

/** A write returns when its bytes are on the disk. */
const newAndSynced = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_DSYNC;

/**
 * Writes a new file that is durable. Each call into a thread costs more than what it does there, so there are as few as
 * may be: the write syncs too, and a file without anything left to write is closed at once.
 */
async function writeSynced(path: string, body: Uint8Array): Promise<void> {
  const file = await openFile(path, newAndSynced, 0o666);
  try {
    for (let written = 0; written < body.length;) {
      const { bytesWritten } = await writeFile(file, body, written, body.length - written, written);
      written += bytesWritten;
    }
  } finally {
    closeSync(file);
  }
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await openFile(path, 'r');
  try {
    await syncFile(directory);
  } finally {
    closeSync(directory);
  }
}
