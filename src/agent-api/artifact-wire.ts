import type { Json, JsonObject } from '../domain/pipelines/steps/step.js';
import type { RegisteredBatch } from '../operations/builds/artifacts/register.js';
import type { ArtifactMatches } from '../operations/builds/artifacts/search.js';
import { type JsonList, jsonList } from './json-list.js';

/** One artifact of a batch, in the words of the operation. */
function artifactOf(fields: Json): Json {
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return fields;
  return {
    path: fields['path'] ?? null,
    absolutePath: fields['absolute_path'] ?? null,
    globPath: fields['glob_path'] ?? null,
    fileSize: fields['file_size'] ?? null,
    sha1sum: fields['sha1sum'] ?? null,
    sha256sum: fields['sha256sum'] ?? null,
    contentType: fields['content_type'] ?? null,
    uploadDestination: fields['upload_destination'] ?? null,
    url: fields['url'] ?? null,
  };
}

/** The body of artifacts create. */
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
 * Reply to the creation of artifacts: one upload form for all agents and, for agents that support PUT, a URL for each
 * file.
 */
export function registeredBatch({ batchId, artifacts, form, puts }: RegisteredBatch): JsonObject {
  const instructions = (url: string): JsonObject => ({ actions: [{ url, method: 'PUT', part_number: 1 }], data: {} });
  return {
    id: batchId,
    artifact_ids: artifacts.map(({ id }) => id),
    upload_instructions: {
      data: form.data,
      action: { url: form.url, method: 'POST', path: form.path, file_input: form.fileInput },
    },
    ...(puts === null
      ? {}
      : { per_artifact_instructions: Object.fromEntries([...puts].map(([id, url]) => [id, instructions(url)])) }),
  };
}

/** Reads the body of artifacts state update. Information about parts is ignored, because files are sent whole. */
export function statesInput(json: Readonly<Record<string, Json>>) {
  const { artifacts } = json;
  return { artifacts: Array.isArray(artifacts) ? artifacts : [] };
}

/** The query of artifacts search. */
export function searchInput(query: URLSearchParams) {
  return {
    query: query.get('query') ?? '',
    scope: query.get('scope'),
    state: query.get('state'),
    includeRetriedJobs: query.get('include_retried_jobs') === 'true',
    includeDuplicates: query.get('include_duplicates') === 'true',
  };
}

/** Answer to artifacts search: URLs are absolute and need no credential, because agents send none. */
export function foundArtifacts(pages: ArtifactMatches): JsonList {
  return jsonList(pages, ({ artifact, url }) => ({
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
