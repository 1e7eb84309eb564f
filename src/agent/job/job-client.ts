import { gzip } from 'node:zlib';
import { promisify } from 'node:util';

import { AgentHttpError, segment, type AgentHttp } from '../http.js';
import type { Retrier } from '../retry.js';
import { sendFile } from '../artifacts/send-file.js';
import { existsSchema, jobStateSchema, registeredArtifactsSchema, secretSchema, type JobResult } from '../wire.js';

const compress = promisify(gzip);

/** A piece of the log: `offset` counts the uncompressed bytes before it, `sequence` starts at 1. */
export interface LogChunk {
  sequence: number;
  offset: number;
  bytes: Buffer;
}

/** A file to upload, as registered with the server. */
export interface AnnouncedFile {
  path: string;
  absolutePath: string;
  globPath: string;
  fileSize: number;
  sha1sum: string;
  sha256sum: string;
  contentType: string;
}

/** Upload target of one registered file. */
export interface ArtifactTarget {
  id: string;
  url: string;
}

export interface ArtifactReport {
  id: string;
  state: 'finished' | 'error';
}

/** The calls made for one job, with the job's token. */
export class JobClient {
  private readonly path: string;

  constructor(
    private readonly http: AgentHttp,
    readonly token: string,
    jobId: string,
    private readonly retrier: Retrier,
  ) {
    this.path = `jobs/${segment(jobId)}`;
  }

  get endpoint(): string {
    return this.http.endpoint;
  }

  async start(startedAt: Date, signal?: AbortSignal): Promise<void> {
    const json = { started_at: startedAt.toISOString() };
    await this.retrier.run(
      'start',
      () => this.http.send('PUT', `${this.path}/start`, { token: this.token, json, signal }),
      signal,
    );
  }

  /** One try; the poll's next tick is the retry. */
  async state(signal?: AbortSignal): Promise<string> {
    return (await this.http.sendAndDecode('GET', this.path, { token: this.token, signal }, jobStateSchema)).state;
  }

  async uploadChunk(chunk: LogChunk, signal?: AbortSignal): Promise<void> {
    const body = await compress(chunk.bytes);
    const query = `sequence=${chunk.sequence}&offset=${chunk.offset}&size=${chunk.bytes.length}`;
    const headers = { 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip' };
    await this.retrier.run(
      'chunk',
      () => this.http.send('POST', `${this.path}/chunks?${query}`, { token: this.token, body, headers, signal }),
      signal,
    );
  }

  /**
   * Finishes the job. With `lastJob` the server dispatches no further job to this agent (`ignore_agent_in_dispatches`).
   */
  async finish(
    result: JobResult & { finishedAt: Date; chunksFailed: number; lastJob: boolean },
    signal?: AbortSignal,
  ): Promise<void> {
    const json = {
      exit_status: result.exitStatus,
      signal: result.signal,
      signal_reason: result.signalReason,
      finished_at: result.finishedAt.toISOString(),
      chunks_failed_count: result.chunksFailed,
      ignore_agent_in_dispatches: result.lastJob ? true : undefined,
    };
    await this.retrier.run(
      'finish',
      () => this.http.send('PUT', `${this.path}/finish`, { token: this.token, json, signal }),
      signal,
    );
  }

  async metaDataExists(key: string, signal?: AbortSignal): Promise<boolean> {
    const reply = await this.retrier.run(
      'metaDataExists',
      () =>
        this.http.sendAndDecode(
          'POST',
          `${this.path}/data/exists`,
          { token: this.token, json: { key }, signal },
          existsSchema,
        ),
      signal,
    );
    return reply.exists;
  }

  async setMetaData(key: string, value: string, signal?: AbortSignal): Promise<void> {
    await this.retrier.run(
      'metaDataSet',
      () => this.http.send('POST', `${this.path}/data/set`, { token: this.token, json: { key, value }, signal }),
      signal,
    );
  }

  async secret(key: string, signal?: AbortSignal): Promise<string> {
    const path = `${this.path}/secrets?key=${encodeURIComponent(key)}`;
    const reply = await this.retrier.run(
      'secret',
      () => this.http.sendAndDecode('GET', path, { token: this.token, signal }, secretSchema),
      signal,
    );
    return reply.value;
  }

  /**
   * Announces files under one id, which makes a repetition harmless.
   * @throws AgentHttpError also when the server offers no address to put a file to
   */
  async registerArtifacts(
    batchId: string,
    files: readonly AnnouncedFile[],
    signal?: AbortSignal,
  ): Promise<ArtifactTarget[]> {
    const json = {
      id: batchId,
      artifacts: files.map((file) => ({
        path: file.path,
        absolute_path: file.absolutePath,
        glob_path: file.globPath,
        file_size: file.fileSize,
        sha1sum: file.sha1sum,
        sha256sum: file.sha256sum,
        content_type: file.contentType,
      })),
      upload_destination: '',
      multipart_supported: true,
    };
    const reply = await this.retrier.run(
      'artifactsCreate',
      () =>
        this.http.sendAndDecode(
          'POST',
          `${this.path}/artifacts`,
          { token: this.token, json, signal },
          registeredArtifactsSchema,
        ),
      signal,
    );
    return reply.artifact_ids.map((id) => {
      const [action, ...parts] = reply.per_artifact_instructions?.[id]?.actions ?? [];
      if (!action || parts.length > 0)
        throw new AgentHttpError('artifacts create: the server offers no address to put a whole file to', 'body');
      return { id, url: action.url };
    });
  }

  /** Sends one file to the address it was given; that is no call of the protocol, and has no token. */
  async sendArtifact(url: string, file: AnnouncedFile, signal?: AbortSignal): Promise<void> {
    await this.retrier.run('artifactTransfer', () => sendFile(url, file, signal), signal);
  }

  async reportArtifacts(artifacts: readonly ArtifactReport[], signal?: AbortSignal): Promise<void> {
    await this.retrier.run(
      'artifactsUpdate',
      () => this.http.send('PUT', `${this.path}/artifacts`, { token: this.token, json: { artifacts }, signal }),
      signal,
    );
  }
}
