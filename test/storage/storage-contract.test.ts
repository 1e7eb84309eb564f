import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { DiskStorage } from '../../src/storage/disk-storage.js';
import { openStorage, readS3Url } from '../../src/storage/open-storage.js';
import { S3Storage } from '../../src/storage/s3-storage.js';
import { StorageError, type ObjectStorage } from '../../src/storage/storage.js';
import { S3Server } from './s3-server.js';

interface Opened {
  storage: ObjectStorage;
  close: () => Promise<void>;
}

async function openDisk(): Promise<Opened> {
  const directory = await mkdtemp(join(tmpdir(), 'storage-'));
  return { storage: new DiskStorage(directory), close: () => rm(directory, { recursive: true }) };
}

async function openS3(): Promise<Opened> {
  const server = new S3Server();
  const endpoint = await server.start();
  const credentials = { accessKeyId: 'key', secretAccessKey: 'secret' };
  const storage = new S3Storage({ bucket: 'bucket', prefix: 'ci', region: 'here', endpoint, credentials });
  return { storage, close: () => server.stop() };
}

async function text(stream: Promise<Readable | null>): Promise<string | null> {
  const found = await stream;
  return found && (await buffer(found)).toString('utf8');
}

async function keys(storage: ObjectStorage, prefix: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { key } of storage.list(prefix)) found.push(key);
  return found;
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'no error',
    (error: unknown) => (error instanceof StorageError ? error.code : String(error)),
  );
}

const kinds: [string, () => Promise<Opened>][] = [
  ['disk', openDisk],
  ['S3', openS3],
];

describe.each(kinds)('object storage on %s', (_, open) => {
  let storage: ObjectStorage;
  let close: () => Promise<void>;
  beforeEach(async () => ({ storage, close } = await open()));
  afterEach(() => close());

  test('a stored object is read back whole and in part', async () => {
    expect(await storage.put('a/b.txt', Buffer.from('hello world'))).toBe(11);
    expect(await text(storage.get('a/b.txt'))).toBe('hello world');
    expect(await text(storage.get('a/b.txt', { start: 6 }))).toBe('world');
    expect(await text(storage.get('a/b.txt', { start: 0, end: 5 }))).toBe('hello');
    expect(await text(storage.get('a/b.txt', { start: 3, end: 3 }))).toBe('');
    expect(await text(storage.get('a/b.txt', { start: 50 }))).toBe('');
    expect(await storage.stat('a/b.txt')).toMatchObject({ key: 'a/b.txt', size: 11 });
  });

  test('a second put replaces the object, and putIfAbsent does not', async () => {
    await storage.put('k', Buffer.from('one'));
    await storage.put('k', Buffer.from('two'));
    expect(await storage.putIfAbsent('k', Buffer.from('three'))).toBe(false);
    expect(await text(storage.get('k'))).toBe('two');
    expect(await storage.putIfAbsent('l', Buffer.from('three'))).toBe(true);
    expect(await text(storage.get('l'))).toBe('three');
  });

  test('an object that nobody reads yet replaces the part that a killed process left of it, also when stored twice at once', async () => {
    const put = () => storage.put('log/k', Buffer.from('the whole'), { unread: true });
    await storage.put('log/k', Buffer.from('the wh'));
    expect(await put()).toBe(9);
    expect(await text(storage.get('log/k'))).toBe('the whole');
    await storage.delete('log/k');
    expect(await Promise.all(Array.from({ length: 8 }, put))).toEqual(Array.from({ length: 8 }, () => 9));
    expect(await text(storage.get('log/k'))).toBe('the whole');
    expect(await keys(storage, '')).toEqual(['log/k']);
    expect(await codeOf(storage.put('log/l', Buffer.alloc(11), { unread: true, maxBytes: 10 }))).toBe('too_large');
    expect(await codeOf(storage.put('../l', Buffer.alloc(1), { unread: true }))).toBe('invalid_key');
  });

  test('of many simultaneous putIfAbsent calls exactly one stores', async () => {
    const results = await Promise.all(
      Array.from({ length: 8 }, (_unused, i) => storage.putIfAbsent('race', Buffer.from(String(i)))),
    );
    expect(results.filter(Boolean)).toHaveLength(1);
    expect(await text(storage.get('race'))).toBe(String(results.indexOf(true)));
  });

  test('a stream of unknown length is stored, also in several parts', async () => {
    const part = Buffer.alloc(1024 * 1024, 'x');
    const size = await storage.put('big', Readable.from(Array.from({ length: 12 }, () => part)));
    expect(size).toBe(12 * part.length);
    expect((await storage.stat('big'))?.size).toBe(size);
    expect(await text(storage.get('big', { start: size - 3 }))).toBe('xxx');
  });

  test('a body above its limit is refused and stores nothing', async () => {
    expect(await codeOf(storage.put('a/large', Buffer.alloc(11), { maxBytes: 10 }))).toBe('too_large');
    const stream = Readable.from([Buffer.alloc(6), Buffer.alloc(6)]);
    expect(await codeOf(storage.put('a/large', stream, { maxBytes: 10 }))).toBe('too_large');
    expect(await storage.stat('a/large')).toBeNull();
  });

  test('a stream that fails stores nothing', async () => {
    const broken = new Readable({
      read() {
        this.destroy(new Error('gone'));
      },
    });
    await expect(storage.put('a/broken', broken)).rejects.toThrow(StorageError);
    expect(await keys(storage, '')).toEqual([]);
  });

  test('get of a missing key returns null, and deleting it is a no-op', async () => {
    expect(await storage.get('nothing')).toBeNull();
    expect(
      await storage
        .get('nothing', { start: 2, end: 2 })
        .then((found) => found === null || buffer(found).then((b) => b.length === 0)),
    ).toBe(true);
    expect(await storage.stat('nothing')).toBeNull();
    await storage.delete('nothing');
    await storage.deletePrefix('nowhere/');
    expect(await keys(storage, 'nowhere/')).toEqual([]);
  });

  test('a moved object is read under its new key only, and moving a missing one changes nothing', async () => {
    await storage.put('a/b=c/old', Buffer.from('the bytes'));
    await storage.put('kept/aside', Buffer.from('replaced'));
    expect(await storage.move('a/b=c/old', 'kept/aside')).toBe(true);
    expect(await storage.move('a/b=c/old', 'kept/other')).toBe(false);
    expect(await keys(storage, '')).toEqual(['kept/aside']);
    expect(await text(storage.get('kept/aside'))).toBe('the bytes');
    expect(await codeOf(storage.move('../a', 'b'))).toBe('invalid_key');
    expect(await codeOf(storage.move('a', '../b'))).toBe('invalid_key');
  });

  test('list returns a folder in order of keys, and deletePrefix empties that folder only', async () => {
    const all = ['a/1', 'a/2', 'a/b/1', 'a/b-c', 'a/b0', 'ab/1', 'c'];
    for (const key of [...all].reverse()) await storage.put(key, Buffer.from(key));
    expect(await keys(storage, '')).toEqual([...all].sort());
    expect(await keys(storage, 'a/')).toEqual(all.filter((key) => key.startsWith('a/')).sort());
    await storage.deletePrefix('a/');
    expect(await keys(storage, '')).toEqual(['ab/1', 'c']);
    await storage.delete('c');
    expect(await keys(storage, '')).toEqual(['ab/1']);
  });

  test.each([
    '',
    '/',
    '/etc/passwd',
    '../x',
    'a/../b',
    'a/./b',
    'a//b',
    'a/',
    '.hidden',
    'a\\b',
    'a\0b',
    'x'.repeat(513),
  ])('every call refuses the key %j', async (key) => {
    expect(await codeOf(storage.put(key, Buffer.from('x')))).toBe('invalid_key');
    expect(await codeOf(storage.get(key))).toBe('invalid_key');
    expect(await codeOf(storage.stat(key))).toBe('invalid_key');
    expect(await codeOf(storage.delete(key))).toBe('invalid_key');
    expect(await codeOf(storage.deletePrefix(`${key}/`))).toBe('invalid_key');
  });

  test('deletePrefix accepts whole folders only', async () => {
    expect(await codeOf(storage.deletePrefix(''))).toBe('invalid_key');
    expect(await codeOf(storage.deletePrefix('a'))).toBe('invalid_key');
  });
});

describe('disk storage', () => {
  test('disk storage removes empty folders and leaves no temporary files', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'storage-'));
    const storage = new DiskStorage(directory);
    await storage.put('a/b/c', Buffer.from('x'));
    await storage.delete('a/b/c');
    expect(await readdir(directory)).toEqual(['.tmp']);
    expect(await readdir(join(directory, '.tmp'))).toEqual([]);
    await rm(directory, { recursive: true });
  });

  test('disk storage removes files that a killed process left a day ago, and no younger ones', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'storage-'));
    await mkdir(join(directory, '.tmp'));
    for (const name of ['old', 'young']) await writeFile(join(directory, '.tmp', name), 'x');
    await utimes(join(directory, '.tmp', 'old'), new Date(0), new Date(0));
    await new DiskStorage(directory).put('k', Buffer.from('x'));
    expect(await readdir(join(directory, '.tmp'))).toEqual(['young']);
    await rm(directory, { recursive: true });
  });

  test('puts and deletes in one folder at once do not disturb one another', async () => {
    const { storage, close } = await openDisk();
    await Promise.all(
      Array.from({ length: 60 }, async (_, i) => {
        await storage.put(`f/g/${i}`, Buffer.from('x'));
        if (i % 2) await storage.delete(`f/g/${i}`);
      }),
    );
    expect(await keys(storage, 'f/')).toHaveLength(30);
    await close();
  });

  test('a failing disk gives an error that does not contain its path', async () => {
    const storage = new DiskStorage('/dev/null/here');
    await expect(storage.put('k', Buffer.from('x'))).rejects.toThrow(/^Storage failed for k \(ENOTDIR\)$/);
  });
});

describe('S3 storage', () => {
  test('S3 storage requests only the range it needs and names no credential in errors', async () => {
    const server = new S3Server();
    const endpoint = await server.start();
    const credentials = { accessKeyId: 'AKIAKEY', secretAccessKey: 'very-secret' };
    const storage = new S3Storage({ bucket: 'bucket', prefix: 'ci/logs', region: 'here', endpoint, credentials });
    await storage.put('k', Buffer.from('hello'));
    expect([...server.objects.keys()]).toEqual(['ci/logs/k']);
    await server.stop();
    const unreachable = new S3Storage({ bucket: 'bucket', prefix: '', region: 'here', endpoint, credentials });
    const error = await unreachable.stat('k').then(
      () => null,
      (reason: unknown) => reason as StorageError,
    );
    expect(error?.code).toBe('unavailable');
    expect(error?.message).not.toMatch(/secret|AKIA|127\.0\.0\.1/);
  });
});

describe('openStorage', () => {
  test('a file: URL names a directory, and no URL means the data directory', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'storage-'));
    await openStorage(`file:${directory}/one`, { dataDir: 'unused' }).put('k', Buffer.from('x'));
    await openStorage(undefined, { dataDir: directory }).put('k', Buffer.from('x'));
    expect((await stat(join(directory, 'one/k'))).size).toBe(1);
    expect((await stat(join(directory, 'objects/k'))).size).toBe(1);
    await rm(directory, { recursive: true });
  });

  test('an s3: URL names bucket, prefix, endpoint and region', () => {
    expect(readS3Url('s3://logs/a/b/?endpoint=http://minio:9000&region=eu-north-1')).toEqual({
      bucket: 'logs',
      prefix: 'a/b',
      endpoint: 'http://minio:9000',
      region: 'eu-north-1',
    });
    expect(openStorage('s3://bucket', { dataDir: 'unused' })).toBeInstanceOf(S3Storage);
  });

  test.each([
    'http://x',
    'file:',
    'file://host/x',
    's3://',
    's3://key:secret@bucket',
    's3://b?endpoint=minio',
    's3://b?regoin=x',
  ])('the storage URL %s is refused', (url) => {
    expect(() => openStorage(url, { dataDir: 'unused' })).toThrow(StorageError);
  });
});
