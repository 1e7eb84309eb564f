import { sameSecret, sign } from '../../auth/secrets.js';
import type { Context } from '../../context.js';
import { limits } from '../../domain/limits.js';
import { Problem } from '../../domain/problem.js';
import type { ArtifactRow } from '../../entities/database.js';

/**
 * Addresses on this host that need no credential, because they are signed, and end (ruling 10): one to read an
 * artifact's bytes from, one to put them to, and a form to send a batch's files with.
 */
export interface SignedUntil {
  /** Seconds since 1970. */
  expires: number;
  signature: string;
}

type Purpose = 'artifact-download' | 'artifact-upload' | 'artifact-form';

/** What signing takes: any context has it. */
type Signer = Pick<Context, 'services' | 'now'>;

function signUntil(context: Signer, purpose: Purpose, seconds: number, ...parts: string[]): SignedUntil {
  const expires = Math.ceil(context.now.getTime() / 1000) + seconds;
  return { expires, signature: sign(context.services.secretKey, purpose, ...parts, String(expires)) };
}

/** Whether a signature is ours; one that is, but over, is `gone`. */
export function isSigned(context: Signer, purpose: Purpose, { expires, signature }: SignedUntil, ...parts: string[]): boolean {
  if (!sameSecret(signature, sign(context.services.secretKey, purpose, ...parts, String(expires)))) return false;
  if (expires * 1000 < context.now.getTime()) throw new Problem('gone', 'The link has expired');
  return true;
}

const query = ({ expires, signature }: SignedUntil) => `?expires=${expires}&signature=${signature}`;

/**
 * Where an artifact's bytes are to be had for so many seconds: with us, or where its agent says that it put them.
 * Null where it said nothing.
 */
export function downloadLink(context: Signer, artifact: Pick<ArtifactRow, 'id' | 'uploadDestination' | 'url'>, seconds: number): string | null {
  if (artifact.uploadDestination !== null) return artifact.url;
  return `${context.services.baseUrl}/files/artifacts/${artifact.id}${query(signUntil(context, 'artifact-download', seconds, artifact.id))}`;
}

/** The same where there must be one: of bytes that nobody can say the place of, the address with us, which has none. */
export function artifactLink(context: Signer, artifact: Pick<ArtifactRow, 'id' | 'uploadDestination' | 'url'>, seconds: number): string {
  return downloadLink(context, artifact, seconds) ?? downloadLink(context, { ...artifact, uploadDestination: null }, seconds) ?? '';
}

/** The link that /v2 redirects to; what has no bytes to read, or none any more, is not there. */
export function redirectLink(context: Context, artifact: ArtifactRow): string {
  const link = artifact.state === 'finished' ? downloadLink(context, artifact, limits.artifactRedirectSeconds) : null;
  if (link === null) throw new Problem('not_found', 'Not Found');
  return link;
}

const uploadSeconds = limits.artifactUploadHours * 3600;

/** Where the bytes of one artifact are put with PUT (agent-protocol 7.4, PUT style). */
export function uploadLink(context: Context, artifactId: string): string {
  return `${context.services.baseUrl}/files/uploads/${artifactId}${query(signUntil(context, 'artifact-upload', uploadSeconds, artifactId))}`;
}

/** A form for every file of a batch: agents put each one's path where `${artifact:path}` stands (agent-protocol 7.4, form style). */
export interface UploadForm {
  /** The root of this host: agents replace the path of it. */
  url: string;
  path: string;
  fileInput: string;
  data: Record<string, string>;
}

export function uploadForm(context: Context, jobId: string, batchId: string): UploadForm {
  const { expires, signature } = signUntil(context, 'artifact-form', uploadSeconds, jobId, batchId);
  const { baseUrl } = context.services;
  const path = `${new URL(baseUrl).pathname.replace(/\/+$/, '')}/files/uploads`;
  return { url: baseUrl, path, fileInput: 'file', data: { job: jobId, batch: batchId, key: '${artifact:path}', expires: String(expires), signature } };
}
