import { readS3Url, storageDirectory } from './open-storage.js';
import { probeStorage } from './probe.js';
import { type ObjectStorage, StorageError } from './storage.js';

/** Long enough for a service that is slow at first: names, credentials of the machine and TLS are looked up then. */
const patienceMs = 10_000;

/** Why storage cannot be used. */
export interface StorageProblem {
  /** One line for the operator: `STORAGE_URL`, where it leads, the reason and what to change. */
  message: string;
  /** True for a disk that is full: what is stored can be read, and space may be made while the server runs. */
  full: boolean;
}

/**
 * Writes and reads an object in the storage that `url` names, as `openStorage` takes it. Null if that works. Takes at
 * most 10 s.
 */
export async function problemOfStorage(
  storage: ObjectStorage,
  url: string | undefined,
  options: { dataDir: string },
): Promise<StorageProblem | null> {
  const health = await probeStorage(storage, patienceMs);
  if (health.usable) return null;
  const { error, reason } = health;
  const cause = error instanceof StorageError ? error.cause : error;
  const full = error instanceof StorageError && error.code === 'full';
  const text = url?.startsWith('s3:')
    ? `${describeBucket(url)} ${explainBucket(url, cause) ?? `cannot be used (${reason})`}`
    : `${storageDirectory(url, options)} ${explainDirectory(cause) ?? `cannot be used (${reason})`}`;
  return { message: `${url === undefined ? 'DATA_DIR' : 'STORAGE_URL'}: ${text}`, full };
}

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';

function explainDirectory(cause: unknown): string | null {
  const code = codeOf(cause);
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return `may not be written by the user of this process (${code}): change its owner, or name another directory`;
    case 'EROFS':
      return `is on a file system that is mounted read-only (${code}): mount it for writing, or name another directory`;
    case 'ENOTDIR':
    case 'EEXIST':
      return `is not a directory (${code}): name one`;
    case 'ENOSPC':
    case 'EDQUOT':
      return `has no space left (${code}): make room, or logs and artifacts are refused`;
    default:
      return null;
  }
}

function describeBucket(url: string): string {
  const { bucket, region, endpoint } = readS3Url(url);
  return `bucket ${bucket} at ${endpoint ?? `S3 in ${region}`}`;
}

/** Names that S3 and services like it give to their errors, and those of the SDK and the network. */
function explainBucket(url: string, cause: unknown): string | null {
  const name = cause instanceof Error ? cause.name : '';
  const status = (cause as { $metadata?: { httpStatusCode?: number } } | undefined)?.$metadata?.httpStatusCode;
  const code = codeOf(cause);
  const { endpoint, region } = readS3Url(url);
  if (name === 'NoSuchBucket' || status === 404) return 'does not exist: create it, or correct its name';
  if (name === 'CredentialsProviderError')
    return (
      'cannot be used without credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give the ' +
      'machine a role'
    );
  if (status === 401 || status === 403)
    return (
      `refuses the credentials (${name || status}): correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, ` +
      `or allow them to put, get, list and delete objects there`
    );
  if (status === 301 || status === 307 || name === 'AuthorizationHeaderMalformed')
    return `is not in the region ${region}: set ?region=`;
  if (code === 'ENOTFOUND')
    return `cannot be reached, no machine is called so: correct ${endpoint ? 'the endpoint' : 'the region'}`;
  if (code === 'ECONNREFUSED')
    return 'cannot be reached, nothing listens there (ECONNREFUSED): start the service, or correct the endpoint';
  return null;
}
