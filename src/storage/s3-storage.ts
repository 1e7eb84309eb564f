import type { S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { Readable } from 'node:stream';
import { LimitBytes } from './limit-bytes.js';
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

/** Location of the objects; credentials come from the SDK's usual chain (environment, profile, role) by default. */
export interface S3Location {
  bucket: string;
  /** Put before every key, without slashes at its ends; may be empty. */
  prefix: string;
  region: string;
  /** Address of an S3-compatible service; the bucket is then part of the path. */
  endpoint?: string;
  credentials?: { accessKeyId: string; secretAccessKey: string };
}

/**
 * Attempts at each request of a patient upload: their pauses grow to 20 seconds at most, so an outage of some three
 * minutes is sat out. Without it there are three, within a second.
 */
const patientAttempts = 30;

type Sdk = typeof import('@aws-sdk/client-s3');

function statusOf(error: unknown): number {
  return (error as Partial<S3ServiceException> | undefined)?.$metadata?.httpStatusCode ?? 0;
}

const isMissingBucket = (error: unknown): boolean => error instanceof Error && error.name === 'NoSuchBucket';

function failure(key: string, error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  const reason = statusOf(error) || (error instanceof Error ? error.name : 'unknown error');
  return new StorageError('unavailable', `Object storage failed for ${key} (${reason})`, { cause: error });
}

/** Objects in a bucket of S3 or a compatible service. The SDK is loaded on first use. */
export class S3Storage implements ObjectStorage {
  private connection: Promise<{ sdk: Sdk; client: S3Client }> | null = null;
  private patientConnection: Promise<{ sdk: Sdk; client: S3Client }> | null = null;

  constructor(private readonly location: S3Location) {}

  async put(key: string, body: Uint8Array | Readable, options: PutOptions = {}): Promise<number> {
    const maxBytes = options.maxBytes ?? defaultMaxBytes;
    if (body instanceof Uint8Array) {
      await this.putBytes(key, body, options);
      return body.length;
    }
    const { Upload } = await import('@aws-sdk/lib-storage');
    const limit = new LimitBytes(key, maxBytes);
    body.on('error', (error) => limit.destroy(error));
    const send = async ({ client }: { client: S3Client }) => {
      const params = { ...this.object(key), Body: body.pipe(limit), ContentType: options.contentType };
      await new Upload({
        client,
        params,
        queueSize: 2,
        ...(options.partBytes ? { partSize: options.partBytes } : {}),
      }).done();
      return limit.bytes;
    };
    const stored = options.patient ? this.attemptPatiently(key, send) : this.attempt(key, send);
    return stored.finally(() => body.destroy());
  }

  async putIfAbsent(key: string, body: Uint8Array, options: PutOptions = {}): Promise<boolean> {
    try {
      await this.putBytes(key, body, options, '*');
      return true;
    } catch (error) {
      // 412: the key is taken. 409: another writer is taking it at this moment.
      if (error instanceof StorageError && [412, 409].includes(statusOf(error.cause))) return false;
      throw error;
    }
  }

  async get(key: string, { start = 0, end = Infinity }: ByteRange = {}): Promise<Readable | null> {
    if (end <= start) return (await this.stat(key)) && Readable.from([]);
    const whole = start === 0 && end === Infinity;
    const range = whole ? undefined : `bytes=${start}-${end === Infinity ? '' : end - 1}`;
    return this.attempt(key, async ({ sdk, client }) => {
      try {
        const response = await client.send(new sdk.GetObjectCommand({ ...this.object(key), Range: range }));
        return response.Body as Readable;
      } catch (error) {
        // A bucket that is missing is no object that is missing: its bytes may be back with it.
        if (statusOf(error) === 404 && !isMissingBucket(error)) return null;
        if (statusOf(error) === 416) return Readable.from([]);
        throw error;
      }
    });
  }

  async stat(key: string): Promise<ObjectStat | null> {
    return this.attempt(key, async ({ sdk, client }) => {
      try {
        const response = await client.send(new sdk.HeadObjectCommand(this.object(key)));
        return { key, size: response.ContentLength ?? 0, modifiedAt: response.LastModified ?? new Date(0) };
      } catch (error) {
        if (statusOf(error) === 404) return null;
        throw error;
      }
    });
  }

  async delete(key: string): Promise<void> {
    await this.attempt(key, ({ sdk, client }) => client.send(new sdk.DeleteObjectCommand(this.object(key))));
  }

  async move(from: string, to: string): Promise<boolean> {
    const { Bucket, Key } = this.object(from);
    const source = `${Bucket}/${Key.split('/').map(encodeURIComponent).join('/')}`;
    const isThere = await this.attempt(from, async ({ sdk, client }) => {
      try {
        await client.send(new sdk.CopyObjectCommand({ ...this.object(to), CopySource: source }));
        return true;
      } catch (error) {
        if (statusOf(error) === 404 && !isMissingBucket(error)) return false;
        throw error;
      }
    });
    if (isThere) await this.delete(from);
    return isThere;
  }

  async deletePrefix(prefix: string): Promise<void> {
    checkPrefix(prefix);
    let keys: string[] = [];
    for await (const { key } of this.list(prefix)) {
      keys.push(key);
      if (keys.length === 1000) {
        await this.deleteAll(prefix, keys);
        keys = [];
      }
    }
    if (keys.length > 0) await this.deleteAll(prefix, keys);
  }

  async *list(prefix: string, after?: string): AsyncGenerator<ObjectStat> {
    if (prefix !== '') checkPrefix(prefix);
    let next: string | undefined;
    do {
      const page = await this.attempt(prefix, ({ sdk, client }) =>
        client.send(
          new sdk.ListObjectsV2Command({
            Bucket: this.location.bucket,
            Prefix: this.root() + prefix,
            ContinuationToken: next,
            StartAfter: after === undefined ? undefined : this.root() + after,
          }),
        ),
      );
      for (const { Key = '', Size = 0, LastModified = new Date(0) } of page.Contents ?? []) {
        yield { key: Key.slice(this.root().length), size: Size, modifiedAt: LastModified };
      }
      next = page.NextContinuationToken;
    } while (next !== undefined);
  }

  private async putBytes(key: string, body: Uint8Array, options: PutOptions, ifNoneMatch?: string): Promise<void> {
    const { maxBytes = defaultMaxBytes, contentType } = options;
    if (body.length > maxBytes) throw tooLarge(key, maxBytes);
    const object = { ...this.object(key), Body: body, ContentType: contentType, IfNoneMatch: ifNoneMatch };
    await this.attempt(key, ({ sdk, client }) => client.send(new sdk.PutObjectCommand(object)));
  }

  private async deleteAll(prefix: string, keys: readonly string[]): Promise<void> {
    const objects = keys.map((key) => ({ Key: this.root() + key }));
    const result = await this.attempt(prefix, ({ sdk, client }) =>
      client.send(
        new sdk.DeleteObjectsCommand({ Bucket: this.location.bucket, Delete: { Objects: objects, Quiet: true } }),
      ),
    );
    if (result.Errors?.length) throw failure(prefix, new Error('some objects were not deleted'));
  }

  private root(): string {
    return this.location.prefix === '' ? '' : `${this.location.prefix}/`;
  }

  private object(key: string): { Bucket: string; Key: string } {
    checkKey(key);
    return { Bucket: this.location.bucket, Key: this.root() + key };
  }

  private async attempt<T>(key: string, step: (connection: { sdk: Sdk; client: S3Client }) => Promise<T>): Promise<T> {
    this.connection ??= this.connect();
    try {
      return await step(await this.connection);
    } catch (error) {
      throw failure(key, error);
    }
  }

  private async attemptPatiently<T>(key: string, step: (connection: { client: S3Client }) => Promise<T>): Promise<T> {
    this.patientConnection ??= this.connect(patientAttempts);
    try {
      return await step(await this.patientConnection);
    } catch (error) {
      throw failure(key, error);
    }
  }

  private async connect(maxAttempts?: number): Promise<{ sdk: Sdk; client: S3Client }> {
    const sdk = await import('@aws-sdk/client-s3');
    const { region, endpoint, credentials } = this.location;
    const client = new sdk.S3Client({
      region,
      credentials,
      ...(maxAttempts === undefined ? {} : { maxAttempts }),
      ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
      // Checksum trailers are not understood by every compatible service.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
    return { sdk, client };
  }
}
