import { gzip } from 'node:zlib';
import { promisify } from 'node:util';

import { segment, type AgentHttp } from './http.js';
import type { Retrier } from './retry.js';
import { existsSchema, jobStateSchema, secretSchema, type JobResult } from './wire.js';

const compress = promisify(gzip);

/** A piece of the log: `offset` counts the uncompressed bytes before it, `sequence` starts at 1. */
export interface LogChunk {
  sequence: number;
  offset: number;
  bytes: Buffer;
}

/** The calls made for one job, with the job's token (agent-protocol 5.5, 5.6, 6.1, 7.1, 7.9, 11). */
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
    await this.retrier.run('start', () => this.http.send('PUT', `${this.path}/start`, { token: this.token, json, signal }), signal);
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
      'chunk', () => this.http.send('POST', `${this.path}/chunks?${query}`, { token: this.token, body, headers, signal }), signal,
    );
  }

  /** `lastJob` tells the server not to dispatch to this agent again (`ignore_agent_in_dispatches`). */
  async finish(result: JobResult & { finishedAt: Date; chunksFailed: number; lastJob: boolean }, signal?: AbortSignal): Promise<void> {
    const json = {
      exit_status: result.exitStatus,
      signal: result.signal,
      signal_reason: result.signalReason,
      finished_at: result.finishedAt.toISOString(),
      chunks_failed_count: result.chunksFailed,
      ignore_agent_in_dispatches: result.lastJob ? true : undefined,
    };
    await this.retrier.run('finish', () => this.http.send('PUT', `${this.path}/finish`, { token: this.token, json, signal }), signal);
  }

  async metaDataExists(key: string, signal?: AbortSignal): Promise<boolean> {
    const reply = await this.retrier.run(
      'metaDataExists',
      () => this.http.sendAndDecode('POST', `${this.path}/data/exists`, { token: this.token, json: { key }, signal }, existsSchema),
      signal,
    );
    return reply.exists;
  }

  async setMetaData(key: string, value: string, signal?: AbortSignal): Promise<void> {
    await this.retrier.run(
      'metaDataSet', () => this.http.send('POST', `${this.path}/data/set`, { token: this.token, json: { key, value }, signal }), signal,
    );
  }

  async secret(key: string, signal?: AbortSignal): Promise<string> {
    const path = `${this.path}/secrets?key=${encodeURIComponent(key)}`;
    const reply = await this.retrier.run(
      'secret', () => this.http.sendAndDecode('GET', path, { token: this.token, signal }, secretSchema), signal,
    );
    return reply.value;
  }
}
