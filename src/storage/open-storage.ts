import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DiskStorage } from './disk-storage.js';
import { S3Storage, type S3Location } from './s3-storage.js';
import { StorageError, type ObjectStorage } from './storage.js';

function invalid(reason: string): StorageError {
  return new StorageError('invalid_url', `STORAGE_URL: ${reason}`);
}

/**
 * Opens the folder or bucket that holds backups, by a URL such as that of `STORAGE_URL`. Throws `invalid_url` with the
 * reason, beginning with `name`, which the operator knows the URL by.
 */
export function openBackupPlace(url: string, name = '--to'): ObjectStorage {
  try {
    if (!/^(s3|file):/.test(url)) throw invalid('must begin with s3: or file:');
    return openStorage(url, { dataDir: '' });
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    throw new StorageError('invalid_url', error.message.replace('STORAGE_URL', name));
  }
}

/** A place that builds are exported to, and what an organization calls it by. */
export interface OpenExportPlace {
  storage: ObjectStorage;
  strategyId: 's3' | 'file';
  /** Name of the bucket, or of the folder without those that it is in. */
  location: string;
}

/** Opens the place that builds are exported to; throws `invalid_url` like {@link openBackupPlace}. */
export function openExportPlace(url: string, name: string): OpenExportPlace {
  const storage = openBackupPlace(url, name);
  if (url.startsWith('s3:')) return { storage, strategyId: 's3', location: readS3Url(url).bucket };
  return { storage, strategyId: 'file', location: basename(fileDirectory(url)) };
}

/** Opens the place of a backup by its own URL, `s3://bucket/prefix/NAME?…`; returns it with the name there. */
export function openBackupUrl(url: string): { place: ObjectStorage; name: string } {
  const [, folder = '', name = '', query = ''] = /^(s3:\/\/[^?]*\/|file:[^?]*\/)([^/?]*)(\?.*)?$/.exec(url) ?? [];
  if (name === '') throw new StorageError('invalid_url', `${url}: names no backup, as s3://bucket/prefix/NAME does`);
  return { place: openBackupPlace(folder + query, url), name };
}

function fileDirectory(url: string): string {
  const path = url.slice('file:'.length);
  if (path === '') throw invalid('file: needs a directory');
  if (!path.startsWith('//')) return resolve(decodeURIComponent(path));
  try {
    return fileURLToPath(url);
  } catch {
    throw invalid('file: URLs name a directory of this machine');
  }
}

/** Reads `s3://bucket/prefix?endpoint=…&region=…`; the region is that of the environment, else us-east-1. */
export function readS3Url(text: string): S3Location {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw invalid('not a URL');
  }
  if (url.hostname === '') throw invalid('s3: needs a bucket');
  if (url.username !== '' || url.password !== '') throw invalid('credentials belong into the environment, not the URL');
  for (const name of url.searchParams.keys()) {
    if (name !== 'endpoint' && name !== 'region') throw invalid(`unknown parameter ${JSON.stringify(name)}`);
  }
  const endpoint = url.searchParams.get('endpoint') ?? undefined;
  if (endpoint !== undefined && !/^https?:\/\//.test(endpoint)) throw invalid('endpoint must be an http or https URL');
  const region =
    url.searchParams.get('region') ?? process.env['AWS_REGION'] ?? process.env['AWS_DEFAULT_REGION'] ?? 'us-east-1';
  return { bucket: url.hostname, prefix: decodeURIComponent(url.pathname).replace(/^\/+|\/+$/g, ''), region, endpoint };
}

/**
 * Opens the storage that `STORAGE_URL` names: `file:DIRECTORY` (relative to the working directory) or `s3://…`;
 * without a URL, the folder `objects` of the data directory. Throws `invalid_url` with the reason. Nothing is
 * connected or created before the first use.
 */
export function openStorage(url: string | undefined, { dataDir }: { dataDir: string }): ObjectStorage {
  if (url?.startsWith('s3:')) return new S3Storage(readS3Url(url));
  return new DiskStorage(storageDirectory(url, { dataDir }));
}

/** The directory of a storage on disk. Throws `invalid_url` for a URL that names none. */
export function storageDirectory(url: string | undefined, { dataDir }: { dataDir: string }): string {
  if (url === undefined || url === '') return join(dataDir, 'objects');
  if (!url.startsWith('file:')) throw invalid('must begin with file: or s3:');
  return fileDirectory(url);
}
