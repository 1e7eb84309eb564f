import type { Json, JsonObject } from '../domain/steps/step.js';
import type { RegisteredBatch } from '../operations/artifacts/register.js';
import type { FoundArtifact } from '../operations/artifacts/search.js';

/** One artifact of a batch, in the words of the operation. */
function artifactOf(given: Json): Json {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  return {
    path: given['path'] ?? null,
    absolutePath: given['absolute_path'] ?? null,
    globPath: given['glob_path'] ?? null,
    fileSize: given['file_size'] ?? null,
    sha1sum: given['sha1sum'] ?? null,
    sha256sum: given['sha256sum'] ?? null,
    contentType: given['content_type'] ?? null,
    uploadDestination: given['upload_destination'] ?? null,
    url: given['url'] ?? null,
  };
}

/** The body of artifacts create (agent-protocol 7.4). */
export function batchInput(json: Readonly<Record<string, Json>>) {
  const { artifacts } = json;
  return {
    batchId: json['id'],
    uploadDestination: json['upload_destination'],
    takesPut: json['multipart_supported'],
    artifacts: Array.isArray(artifacts) ? artifacts.map(artifactOf) : artifacts,
  };
}

/**
 * Answer to artifacts create (agent-protocol 7.4): a form that every agent can send, and for those that can put a
 * file as it is, an address for each.
 */
export function registeredBatch({ batchId, artifacts, form, puts }: RegisteredBatch): JsonObject {
  const instructions = (url: string): JsonObject => ({ actions: [{ url, method: 'PUT', part_number: 1 }], data: {} });
  return {
    id: batchId,
    artifact_ids: artifacts.map(({ id }) => id),
    upload_instructions: { data: form.data, action: { url: form.url, method: 'POST', path: form.path, file_input: form.fileInput } },
    ...(puts === null ? {} : { per_artifact_instructions: Object.fromEntries([...puts].map(([id, url]) => [id, instructions(url)])) }),
  };
}

/** The body of artifacts state update; what is said of parts is not needed, for nothing is sent in parts. */
export function statesInput(json: Readonly<Record<string, Json>>) {
  const { artifacts } = json;
  return { artifacts: Array.isArray(artifacts) ? artifacts : [] };
}

/** The query of artifacts search (agent-protocol 7.5). */
export function searchInput(query: URLSearchParams) {
  return {
    query: query.get('query') ?? '',
    scope: query.get('scope'),
    state: query.get('state'),
    includeRetriedJobs: query.get('include_retried_jobs') === 'true',
    includeDuplicates: query.get('include_duplicates') === 'true',
  };
}

/** Answer to artifacts search: addresses are absolute and need no credential (trap T18). */
export function foundArtifacts(found: readonly FoundArtifact[]): JsonObject[] {
  return found.map(({ artifact, url }) => ({
    id: artifact.id,
    job_id: artifact.jobId,
    path: artifact.path,
    absolute_path: artifact.absolutePath ?? '',
    glob_path: artifact.globPath ?? '',
    file_size: artifact.fileSize,
    sha1sum: artifact.sha1sum,
    sha256sum: artifact.sha256sum ?? '',
    url,
    upload_destination: artifact.uploadDestination ?? '',
    content_type: artifact.contentType,
    created_at: artifact.createdAt.toISOString(),
  }));
}
