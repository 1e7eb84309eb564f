import type { StreamMessage } from '../../domain/agents/stream-messages.js';
import { followPingStream } from './ping-stream.js';
import { segment, type AgentHttp } from '../http.js';
import type { Retrier } from '../retry.js';
import { anyObjectSchema, jobPayloadSchema, pingSchema, type JobPayload, type Ping } from '../wire.js';

/** The calls made with the session token: being there, and taking work. */
export class AgentSession {
  constructor(
    readonly http: AgentHttp,
    readonly token: string,
    private readonly retrier: Retrier,
  ) {}

  async connect(signal?: AbortSignal): Promise<void> {
    await this.retrier.run('connect', () => this.http.send('POST', 'connect', { token: this.token, signal }), signal);
  }

  async disconnect(signal?: AbortSignal): Promise<void> {
    await this.retrier.run(
      'disconnect',
      () => this.http.send('POST', 'disconnect', { token: this.token, signal, timeoutMs: 10_000 }),
      signal,
    );
  }

  /** One try; the loop's next tick is the retry. `endpoint` pings another base URL. */
  async ping(signal?: AbortSignal, endpoint?: string): Promise<Ping> {
    return this.http.sendAndDecode('GET', 'ping', { token: this.token, signal, endpoint }, pingSchema);
  }

  /** Follows one stream of pings to its end; see {@link followPingStream}. */
  followPings(
    agentId: string,
    onMessage: (message: StreamMessage) => void,
    onSilence: () => void,
    signal: AbortSignal,
  ): ReturnType<typeof followPingStream> {
    const { endpoint } = this.http;
    return followPingStream({
      endpoint,
      headers: this.http.headersFor(this.token),
      agentId,
      signal,
      onMessage,
      onSilence,
    });
  }

  async heartbeat(now: Date, signal?: AbortSignal): Promise<void> {
    const json = { sent_at: now.toISOString() };
    await this.retrier.run(
      'heartbeat',
      () => this.http.sendAndDecode('POST', 'heartbeat', { token: this.token, json, signal }, anyObjectSchema),
      signal,
    );
  }

  /** A request on its way is never cut off by `signal`, only retries are: the server may have given the job already. */
  async accept(jobId: string, signal?: AbortSignal): Promise<JobPayload> {
    return this.retrier.run(
      'accept',
      () => this.http.sendAndDecode('PUT', `jobs/${segment(jobId)}/accept`, { token: this.token }, jobPayloadSchema),
      signal,
    );
  }

  /** Takes a given job without being offered it; `signal` as for accept. */
  async acquire(jobId: string, signal?: AbortSignal): Promise<JobPayload> {
    return this.retrier.run(
      'acquire',
      (attempt) => {
        const headers = { 'X-Buildkite-Lock-Acquire-Job': '1', 'X-Buildkite-Backoff-Sequence': String(attempt) };
        return this.http.sendAndDecode(
          'PUT',
          `jobs/${segment(jobId)}/acquire`,
          { token: this.token, headers },
          jobPayloadSchema,
        );
      },
      signal,
    );
  }
}
