import { isSignedBy, sign } from '../../../auth/secrets.js';
import type { Context } from '../../../request/context.js';
import { limits } from '../../../domain/limits/limits.js';
import { isReportPage, pathInReport } from '../../../domain/builds/report-path.js';
import { Problem } from '../../../domain/problem.js';
import type { ArtifactRow } from '../../../entities/database.js';
import type { ArchiveScope } from './archive.js';

/**
 * Signed URLs on this host, which need no credential and expire: one to download an artifact, one to PUT it, and a form
 * that uploads a batch.
 */
export interface SignedUntil {
  /** Seconds since 1970. */
  expires: number;
  signature: string;
}

type Purpose = 'artifact-download' | 'artifact-upload' | 'artifact-form' | 'artifact-report' | 'artifact-archive';

/** Services that signing needs. */
type Signer = Pick<Context, 'services' | 'now'>;

function signUntil(context: Signer, purpose: Purpose, seconds: number, ...parts: string[]): SignedUntil {
  const expires = Math.ceil(context.now.getTime() / 1000) + seconds;
  return { expires, signature: sign(context.services.secretKey, purpose, ...parts, String(expires)) };
}

/** Whether a signature is valid; throws `gone` for an expired one. */
export function isSigned(
  context: Signer,
  purpose: Purpose,
  { expires, signature }: SignedUntil,
  ...parts: string[]
): boolean {
  if (!isSignedBy(context.services.secretKey, signature, purpose, ...parts, String(expires))) return false;
  if (expires * 1000 < context.now.getTime()) throw new Problem('gone', 'The link has expired');
  return true;
}

/** A query of the artifacts that a link can lead to, as `a`: those of a pipeline that was not deleted since. */
export const linkedArtifacts = ({ db }: Pick<Context, 'db'>) =>
  db.selectFrom('artifacts as a').innerJoin('pipelines as p', 'p.id', 'a.pipelineId').selectAll('a');

const query = ({ expires, signature }: SignedUntil) => `?expires=${expires}&signature=${signature}`;

/**
 * A download URL valid for `seconds`: on this host, or where the agent stored the file. Null if the agent named no URL.
 */
export function downloadLink(
  context: Signer,
  artifact: Pick<ArtifactRow, 'id' | 'uploadDestination' | 'url'>,
  seconds: number,
): string | null {
  if (artifact.uploadDestination !== null) return artifact.url;
  return `${context.services.baseUrl}/files/artifacts/${artifact.id}${query(signUntil(context, 'artifact-download', seconds, artifact.id))}`;
}

/** A download URL where one is required: for an artifact without any, the URL on this host, which answers 404. */
export function artifactLink(
  context: Signer,
  artifact: Pick<ArtifactRow, 'id' | 'uploadDestination' | 'url'>,
  seconds: number,
): string {
  return (
    downloadLink(context, artifact, seconds) ??
    downloadLink(context, { ...artifact, uploadDestination: null }, seconds) ??
    ''
  );
}

/** The URL that /v2 redirects to; throws `not_found` for an artifact without bytes, or without them any more. */
export function redirectLink(context: Context, artifact: ArtifactRow): string {
  const link = artifact.state === 'finished' ? downloadLink(context, artifact, limits.artifactRedirectSeconds) : null;
  if (link === null) throw new Problem('not_found', 'Not Found');
  return link;
}

type Reportable = Pick<ArtifactRow, 'jobId' | 'state' | 'uploadDestination' | 'contentType' | 'path'>;

/**
 * The address at which an HTML artifact is opened as a page, on this host or the one of `REPORTS_URL`: behind the token
 * stand the paths of all artifacts of its job, so that the links of the page lead to the files beside it. Null for an
 * artifact that is no page or whose bytes are not in the storage.
 */
export function reportLink(context: Signer, artifact: Reportable): string | null {
  if (artifact.state !== 'finished' || artifact.uploadDestination !== null || !isReportPage(artifact)) return null;
  const path = pathInReport(artifact.path);
  if (path === null) return null;
  const { reportsUrl, baseUrl } = context.services;
  const { expires, signature } = signUntil(context, 'artifact-report', limits.artifactReportSeconds, artifact.jobId);
  return `${reportsUrl ?? baseUrl}/files/reports/${artifact.jobId}.${expires}.${signature}/${path}`;
}

/** The URL that /v2 redirects to for a report; throws `not_found` for an artifact that is none. */
export function redirectToReport(context: Context, artifact: ArtifactRow): string {
  const link = reportLink(context, artifact);
  if (link === null) throw new Problem('not_found', 'Not Found');
  return link;
}

/** The job whose artifacts the token of a report leads to; null for no such token. Throws `gone` for an expired one. */
export function jobOfReport(context: Signer, token: string): string | null {
  const [, job, expires, signature] = /^([0-9a-f-]{36})\.(\d{1,15})\.([0-9a-f]{64})$/.exec(token) ?? [];
  if (job === undefined || expires === undefined || signature === undefined) return null;
  return isSigned(context, 'artifact-report', { expires: Number(expires), signature }, job) ? job : null;
}

/** A URL valid for `seconds` of an archive of all artifacts of a build or a job. */
export function archiveLink(context: Signer, { of, id }: ArchiveScope, seconds: number): string {
  const until = signUntil(context, 'artifact-archive', seconds, of, id);
  return `${context.services.baseUrl}/files/archives/${of}/${id}${query(until)}`;
}

/** The URL that /v2 redirects to for an archive; throws `not_found` for one that would hold nothing. */
export function redirectToArchive(context: Context, { scope, files }: { scope: ArchiveScope; files: number }): string {
  if (files === 0) throw new Problem('not_found', 'Not Found');
  return archiveLink(context, scope, limits.artifactRedirectSeconds);
}

const uploadSeconds = limits.artifactUploadHours * 3600;

/** URL to PUT the bytes of one artifact to. */
export function uploadLink(context: Context, artifactId: string): string {
  return `${context.services.baseUrl}/files/uploads/${artifactId}${query(signUntil(context, 'artifact-upload', uploadSeconds, artifactId))}`;
}

/** Upload form for every file of a batch: agents replace `${artifact:path}` by each file's path. */
export interface UploadForm {
  /** Root URL of this host; agents replace its path. */
  url: string;
  path: string;
  fileInput: string;
  data: Record<string, string>;
}

export function uploadForm(context: Context, jobId: string, batchId: string): UploadForm {
  const { expires, signature } = signUntil(context, 'artifact-form', uploadSeconds, jobId, batchId);
  const { baseUrl } = context.services;
  const path = `${new URL(baseUrl).pathname.replace(/\/+$/, '')}/files/uploads`;
  return {
    url: baseUrl,
    path,
    fileInput: 'file',
    data: { job: jobId, batch: batchId, key: '${artifact:path}', expires: String(expires), signature },
  };
}
