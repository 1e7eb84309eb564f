import { setTimeout as sleep } from 'node:timers/promises';
import type { Services } from '../../../services/services.js';
import { readPieces } from '../../../storage/read-pieces.js';
import type { ObjectStorage } from '../../../storage/storage.js';
import { storedObjectKinds } from '../storage/stored-object-kinds.js';
import type { ArchiveWriter, Digest } from './archive-writer.js';
import { type BackupObject, entryNames } from './format.js';
import type { NamedObject } from './named-objects.js';

/** Objects that are read at the same time, and the size up to which one is read before its turn to be written. */
const atOnce = 16;
const smallBytes = 1024 * 1024;
const objectsOfAnIndex = 5_000;
const attempts = 5;
const pauseMs = 500;
const mostExamples = 10;

/** What was found of the objects that rows name. */
export interface CopiedObjects {
  count: number;
  bytes: number;
  /** Deleted while the backup was made, or lost before. */
  missing: number;
  /** Of another size or digest than their rows say; they are in the backup as they are. */
  damaged: number;
  /** Keys of some that are missing or damaged. */
  examples: string[];
  indexes: Digest[];
}

/** An object before it is written: its bytes if they are few, null for bytes that are nowhere. */
type Found = { object: NamedObject; content: Buffer | { size: number } | null };

/**
 * Copies objects into an archive, each once. The rows that name them are those of a snapshot: an object that was merged
 * into another since is made again, and one that was deleted is noted as missing.
 */
export async function copyObjects(
  services: Services,
  objects: AsyncIterable<NamedObject>,
  writer: ArchiveWriter,
  progress: (copied: CopiedObjects) => void,
): Promise<CopiedObjects> {
  const copied: CopiedObjects = { count: 0, bytes: 0, missing: 0, damaged: 0, examples: [], indexes: [] };
  let index: BackupObject[] = [];
  const writeIndex = async () => {
    if (index.length === 0) return;
    const content = Buffer.from(JSON.stringify(index));
    copied.indexes.push(await writer.add(entryNames.index(copied.indexes.length + 1), content));
    index = [];
  };
  for await (const some of inGroups(objects, atOnce)) {
    for (const outcome of await Promise.all(some.map((object) => find(services, object)))) {
      const entry = await write(services.storage, writer, outcome);
      index.push(entry);
      note(copied, outcome.object, entry);
      if (index.length === objectsOfAnIndex) await writeIndex();
    }
    progress(copied);
  }
  await writeIndex();
  return copied;
}

async function find(services: Services, object: NamedObject): Promise<Found> {
  const { storage } = services;
  const stat = await persist(() => storage.stat(object.key));
  if (stat && stat.size > smallBytes) return { object, content: { size: stat.size } };
  const bytes = stat ? await persist(() => readSmall(storage, object.key)) : null;
  if (bytes) return { object, content: bytes };
  const kind = storedObjectKinds.find(({ name }) => name === object.kind);
  return { object, content: (await kind?.rebuild?.(services, object)) ?? null };
}

async function write(storage: ObjectStorage, writer: ArchiveWriter, { object, content }: Found): Promise<BackupObject> {
  const { key } = object;
  if (content === null) return { key, size: 0, sha256: null };
  const name = entryNames.object(key);
  const { bytes, sha256 } = Buffer.isBuffer(content)
    ? await writer.add(name, content)
    : await writer.addStream(name, content.size, readPieces(storage, key, content.size));
  return { key, size: bytes, sha256 };
}

function note(copied: CopiedObjects, object: NamedObject, { key, size, sha256 }: BackupObject): void {
  if (sha256 === null) copied.missing += 1;
  else {
    copied.count += 1;
    copied.bytes += size;
  }
  // What was compressed anew is as good in another size: its bytes were compared with the digest in its key.
  const differs = object.run === null && (size !== object.size || (object.sha256 ?? sha256) !== sha256);
  if (sha256 !== null && differs) copied.damaged += 1;
  if ((sha256 === null || differs) && copied.examples.length < mostExamples) copied.examples.push(key);
}

async function readSmall(storage: ObjectStorage, key: string): Promise<Buffer | null> {
  const body = await storage.get(key);
  if (!body) return null;
  const parts: Buffer[] = [];
  for await (const part of body) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/** Repeats a read that storage refuses: a backup of hours must not end with one request. */
async function persist<T>(read: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await read();
    } catch (error) {
      if (attempt >= attempts) throw error;
      await sleep(pauseMs * 2 ** attempt);
    }
  }
}

async function* inGroups<T>(all: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let group: T[] = [];
  for await (const each of all) {
    group.push(each);
    if (group.length < size) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}
