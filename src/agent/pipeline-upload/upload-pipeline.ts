import { randomUUID } from 'node:crypto';

import { AgentHttpError, segment, type AgentReply } from '../http.js';
import { wait } from '../wait.js';
import type { PipelineDocument } from './pipeline-text.js';

const statusPolls = 60;
const defaultPollSeconds = 5;

/** Makes calls with the token of a job, retried under a policy. */
export interface UploadCalls {
  exchange(policy: 'pipelineUpload', method: string, path: string, request?: { json?: unknown }): Promise<AgentReply>;
}

export interface PipelineUpload {
  jobId: string;
  pipeline: PipelineDocument;
  /** Whether steps that have not started yet are removed first. */
  replace: boolean;
  /** Multiplies waits between polls; below 1 in tests only. */
  retryScale?: number;
}

/**
 * Uploads a pipeline and returns once the server has applied it, at once or after polling its state. The upload has one
 * UUID for all attempts, so that a repeated one has no second effect.
 * @throws AgentHttpError also when the server rejected the pipeline
 */
export async function uploadPipeline(calls: UploadCalls, upload: PipelineUpload): Promise<void> {
  const uuid = randomUUID();
  const path = `jobs/${segment(upload.jobId)}/pipelines`;
  const json = { uuid, pipeline: upload.pipeline, replace: upload.replace || undefined };
  const reply = await calls.exchange('pipelineUpload', 'POST', `${path}?async=true`, { json });
  if (reply.status !== 202) return;
  const location = decodeURIComponent(reply.headers.get('location') ?? '');
  if (!location.includes(`jobs/${upload.jobId}/pipelines/${uuid}`))
    throw new AgentHttpError(`pipeline upload: the server names no place of its state ("${location}")`, 'body');
  await applied(calls, `${path}/${segment(uuid)}`, reply.retryAfterSeconds, upload.retryScale ?? 1);
}

async function applied(
  calls: UploadCalls,
  path: string,
  retryAfterSeconds: number | undefined,
  retryScale: number,
): Promise<void> {
  let seconds = retryAfterSeconds;
  for (let poll = 0; poll < statusPolls; poll += 1) {
    await wait((seconds ?? defaultPollSeconds) * 1000 * retryScale);
    const reply = await calls.exchange('pipelineUpload', 'GET', path);
    const { state, message } = JSON.parse(reply.text) as { state?: string; message?: string };
    if (state === 'applied') return;
    if (state !== 'pending' && state !== 'processing')
      throw new AgentHttpError(
        `the pipeline was ${state ?? 'not applied'}: ${message ?? 'no reason given'}`,
        'aborted',
      );
    seconds = reply.retryAfterSeconds;
  }
  throw new AgentHttpError('the server did not apply the pipeline in time', 'aborted');
}
