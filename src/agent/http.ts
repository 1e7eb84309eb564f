import type { z } from 'zod';

/** Kind of failure: no answer, an error status, an answer that does not decode, or a call canceled by its caller. */
export type AgentHttpFailure = 'network' | 'status' | 'body' | 'aborted';

/** Error of every failed call of the agent protocol. */
export class AgentHttpError extends Error {
  override readonly name = 'AgentHttpError';

  constructor(
    message: string,
    readonly failure: AgentHttpFailure,
    readonly status?: number,
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
  }

  /** Whether the call may succeed later: no answer, 429 and 5xx; also undecodable answers, as in the newest agents. */
  get retryable(): boolean {
    if (this.failure === 'status') return this.status === 429 || (this.status ?? 0) >= 500;
    return this.failure !== 'aborted';
  }
}

export interface AgentRequest {
  token: string;
  json?: unknown;
  body?: Uint8Array;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  timeoutMs?: number;
  /** Another base URL than the session's, to try it before moving there. */
  endpoint?: string;
}

/** A successful reply; `retryAfterSeconds` is its `Retry-After`. */
export interface AgentReply {
  status: number;
  headers: Headers;
  text: string;
  retryAfterSeconds: number | undefined;
}

/**
 * The HTTP side of one agent session. The server may move the session (`endpoint`) and ask for headers
 * (`requestHeaders`), so both are mutable and read by each call.
 */
export class AgentHttp {
  requestHeaders: Record<string, string> = {};

  constructor(
    public endpoint: string,
    private readonly userAgent: string,
  ) {}

  /** Sets the headers that the server requested in `request_headers`; the protocol allows only `Buildkite-…` names. */
  setRequestHeaders(headers: Record<string, string> | null | undefined): void {
    if (headers === null || headers === undefined) return;
    this.requestHeaders = Object.fromEntries(Object.entries(headers).filter(([name]) => /^buildkite-/i.test(name)));
  }

  /** The headers of every request. */
  headersFor(token: string): Record<string, string> {
    return { ...this.requestHeaders, Authorization: `Token ${token}`, 'User-Agent': this.userAgent };
  }

  /**
   * Sends one request and returns the text of its reply.
   * @throws AgentHttpError for anything but a 2xx
   */
  async send(method: string, path: string, request: AgentRequest): Promise<string> {
    return (await this.exchange(method, path, request)).text;
  }

  /** Like `send`, and returns status and headers too. */
  async exchange(method: string, path: string, request: AgentRequest): Promise<AgentReply> {
    const url = `${(request.endpoint ?? this.endpoint).replace(/\/+$/, '')}/${path}`;
    const timeoutMs = request.timeoutMs ?? 60_000;
    // Own wiring: AbortSignal.any and timeout would pile up on a signal that lives as long as the agent.
    const abort = new AbortController();
    const onAbort = (): void => abort.abort();
    const timer = setTimeout(onAbort, timeoutMs);
    if (request.signal?.aborted) onAbort();
    else request.signal?.addEventListener('abort', onAbort, { once: true });
    let status: number;
    let headers: Headers;
    let text: string;
    try {
      const response = await fetch(url, {
        method,
        headers: {
          ...this.headersFor(request.token),
          'Buildkite-Timeout-Milliseconds': String(timeoutMs),
          ...(request.json === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...request.headers,
        },
        body: request.json === undefined ? request.body : JSON.stringify(request.json),
        signal: abort.signal,
      });
      ({ status, headers } = response);
      text = await response.text();
    } catch (error) {
      const failure = request.signal?.aborted ? 'aborted' : 'network';
      const reason =
        abort.signal.aborted && failure === 'network' ? `no answer within ${timeoutMs} ms` : describe(error);
      throw new AgentHttpError(`${method} ${url}: ${reason}`, failure);
    } finally {
      clearTimeout(timer);
      request.signal?.removeEventListener('abort', onAbort);
    }
    const retryAfterSeconds = secondsOf(headers.get('retry-after'));
    if (status >= 200 && status < 300) return { status, headers, text, retryAfterSeconds };
    throw new AgentHttpError(
      `${method} ${url}: ${status}: ${serverMessage(text)}`,
      'status',
      status,
      retryAfterSeconds,
    );
  }

  /** Like `send`, and decodes the answer by `schema`. */
  async sendAndDecode<T>(method: string, path: string, request: AgentRequest, schema: z.ZodType<T>): Promise<T> {
    const text = await this.send(method, path, request);
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      throw new AgentHttpError(`${method} ${path}: the answer is not JSON`, 'body');
    }
    const decoded = schema.safeParse(json);
    if (decoded.success) return decoded.data;
    const issue = decoded.error.issues[0];
    throw new AgentHttpError(
      `${method} ${path}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'unexpected answer'}`,
      'body',
    );
  }
}

/** One path segment: percent-encoded, `.` too. */
export function segment(text: string): string {
  return encodeURIComponent(text).replaceAll('.', '%2E');
}

function secondsOf(retryAfter: string | null): number | undefined {
  const seconds = Number.parseFloat(retryAfter ?? '');
  return seconds >= 0 ? seconds : undefined;
}

function serverMessage(text: string): string {
  try {
    const { message } = JSON.parse(text) as { message?: unknown };
    if (typeof message === 'string') return message;
  } catch {
    // Not every proxy in between answers JSON; its text says enough.
  }
  return text.slice(0, 200);
}

function describe(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { code?: string; message?: string } };
  return [message, cause?.code ?? cause?.message].filter(Boolean).join(': ') || String(error);
}
