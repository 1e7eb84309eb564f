import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '../../domain/problem.js';

/** Where a working tree is built that is not built in this process. */
export interface ServerAddress {
  /** Base URL of the server, such as `https://ci.example.com`. */
  endpoint: string;
  /** API token. */
  token: string;
  /** Slug of the organization. */
  organization: string;
}

/** A server that refused a call, or could not be asked. The message is for the user of the program. */
export class ServerError extends Error {
  override readonly name = 'ServerError';

  /** `status`: of the HTTP reply; null without one. */
  constructor(
    message: string,
    readonly status: number | null,
  ) {
    super(message);
  }
}

const callMs = 30_000;
/** Reads are repeated for about a minute: a server that restarts does not end the build. */
const attempts = 12;
const longestPauseMs = 8_000;

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

// Replies are read by the names that /v2 documents; each caller states what it reads.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Reply = any;

/** Calls of /v2 with an API token. Reads are repeated while the server cannot answer, changes are made once. */
export class ServerCalls {
  private readonly base: string;

  constructor(
    private readonly address: ServerAddress,
    private readonly retryScale = 1,
  ) {
    this.base = address.endpoint.replace(/\/+$/, '').replace(/\/v[23]$/, '');
  }

  /** Base URL of the agent protocol. */
  get agentEndpoint(): string {
    return `${this.base}/v3`;
  }

  /** Calls a path below the organization. Throws ServerError for every refusal. */
  call(method: Method, path: string, body?: object): Promise<Reply> {
    return this.send(method, `/organizations/${encodeURIComponent(this.address.organization)}${path}`, body);
  }

  /** Throws ServerError, naming them, where the token lacks some of these scopes. */
  async requireScopes(needed: readonly string[]): Promise<void> {
    const { scopes } = (await this.send('GET', '/access-token')) as { scopes: string[] };
    const missing = needed.filter((scope) => !scopes.includes(scope));
    if (missing.length === 0) return;
    const words = missing.length === 1 ? 'the scope' : 'the scopes';
    throw new ServerError(`the API token does not have ${words} ${missing.join(', ')}`, 403);
  }

  /**
   * Bytes of a text that grows, from an offset on; none where it is not longer. The server gives the last bytes of a
   * text only, so what is asked for depends on its size, which may be larger by then: bytes that would be left out are
   * for the next time.
   */
  async *bytes(path: string, start: number): AsyncGenerator<Uint8Array> {
    const url = `/organizations/${encodeURIComponent(this.address.organization)}${path}`;
    const head = await this.response('HEAD', url, undefined, {});
    if (!head.ok) throw await refusal(head, 'HEAD', url);
    let remaining = Number(head.headers.get('content-length') ?? 0) - start;
    for (let attempt = 1; remaining > 0 && attempt <= attempts; attempt += 1) {
      const response = await this.response('GET', url, undefined, { Range: `bytes=-${remaining}` });
      if (!response.ok) throw await refusal(response, 'GET', url);
      const range = /^bytes (\d+)-(\d+)\//.exec(response.headers.get('content-range') ?? '');
      const first = Number(range?.[1] ?? 0);
      if (first <= start) return yield* after(response.body, start - first);
      await response.body?.cancel();
      remaining = Number(range?.[2] ?? 0) + 1 - start;
    }
  }

  private async send(method: Method, path: string, body?: object): Promise<Reply> {
    const response = await this.response(method, path, body, {});
    if (!response.ok) throw await refusal(response, method, path);
    return response.status === 204 ? null : response.json();
  }

  private async response(
    method: Method,
    path: string,
    body: object | undefined,
    headers: Record<string, string>,
  ): Promise<Response> {
    for (let attempt = 1; ; attempt += 1) {
      const last = (method !== 'GET' && method !== 'HEAD') || attempt === attempts;
      try {
        const response = await fetch(`${this.base}/v2${path}`, {
          method,
          headers: {
            Authorization: `Bearer ${this.address.token}`,
            ...(body && { 'Content-Type': 'application/json' }),
            ...headers,
          },
          signal: AbortSignal.timeout(callMs),
          ...(body && { body: JSON.stringify(body) }),
        });
        if (last || (response.status !== 429 && response.status < 500)) return response;
        await response.body?.cancel();
      } catch (error) {
        if (last) throw unreachable(this.base, error);
      }
      await sleep(Math.min(longestPauseMs, 500 * 2 ** attempt) * this.retryScale);
    }
  }
}

/** The bytes of a body after the first `skip`. */
async function* after(body: Response['body'], skip: number): AsyncGenerator<Uint8Array> {
  let left = skip;
  for await (const chunk of body ?? []) {
    const piece = chunk as Uint8Array;
    if (piece.length > left) yield piece.subarray(left);
    left = Math.max(0, left - piece.length);
  }
}

function unreachable(base: string, error: unknown): ServerError {
  const cause = (error as { cause?: { code?: unknown } }).cause;
  const reason = typeof cause?.code === 'string' ? cause.code : (error as Error).message;
  return new ServerError(`${base} cannot be reached (${reason})`, null);
}

/** The error behind a refusal. What an input lacks is a Problem, as in a server of this process. */
async function refusal(response: Response, method: Method, path: string): Promise<Error> {
  const text = await response.text();
  const body = parsed(text);
  const message = typeof body['message'] === 'string' ? body['message'] : text.slice(0, 200);
  if (response.status === 401) return new ServerError('the server does not know the API token', 401);
  const errors = Array.isArray(body['errors']) ? (body['errors'] as { field?: unknown; code?: unknown }[]) : [];
  const fields = errors.map(({ field, code }) => ({ field: String(field), code: String(code) }));
  if (response.status === 422 && fields.length > 0) return new Problem('invalid', message, { fields });
  return new ServerError(`${method} ${path}: ${response.status} ${message}`, response.status);
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
