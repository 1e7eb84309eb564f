import { Agent, request } from 'node:http';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/** What came of one request. `status` is 0 where no whole answer came; `text` is the beginning of the reply. */
export interface Reply {
  status: number;
  text: string;
  bytes: number;
  milliseconds: number;
  retryAfter: string | null;
  /** Why no whole answer came. */
  fault: string | null;
}

export interface Sending {
  token?: string;
  body?: object | string | Buffer;
  headers?: Record<string, string>;
}

/** As much of a reply as the test looks at; the rest is counted and given up, so that the test itself stays small. */
const keptBytes = 8 * 1024 * 1024;
const patienceMs = 180_000;
/** Tries of a request that is told to come again, as clients do: a machine may be starved by others. */
const mostTries = 3;
const ignore = (): void => undefined;

/** What identifies the object whose JSON begins like this; it is too large to be kept whole. */
function firstFields(text: string): object {
  const field = (name: string) => new RegExp(`"${name}":("[^"]*"|\\d+)`).exec(text)?.[1] ?? 'null';
  return Object.fromEntries(['id', 'slug', 'number'].map((name) => [name, JSON.parse(field(name))]));
}

const lineOf = (method: string, path: string, { status, text, milliseconds, fault }: Reply): string =>
  `${method} ${path.slice(0, 200)}: ${status} ${fault ?? text.slice(0, 200)} after ${milliseconds} ms`;

/** Sends requests to a server and counts what it answers. */
export class Client {
  private readonly connections = new Agent({ keepAlive: true, maxSockets: 64 });
  /** Replies by status; `none` is the number of requests without a whole answer. */
  readonly statuses = new Map<string, number>();
  /** Requests that were answered 5xx or not at all, with the beginning of the answer. */
  readonly failures: string[] = [];
  /** Refusals for want of time or turns that stood when the request was repeated as they say. */
  readonly refusals: string[] = [];
  /** Those that were repeated: none on an idle machine. */
  readonly repeated: string[] = [];
  largestReply = 0;
  slowest = { milliseconds: 0, path: '' };
  sentBytes = 0;

  constructor(readonly url: string) {}

  close(): void {
    this.connections.destroy();
  }

  async send(method: string, path: string, sending: Sending = {}): Promise<Reply> {
    for (let tries = 1; ; tries += 1) {
      const reply = await this.once(method, path, sending);
      if (reply.status !== 503 || reply.retryAfter === null || tries === mostTries) {
        this.note(method, path, reply);
        return reply;
      }
      this.repeated.push(lineOf(method, path, reply));
      await sleep(Number(reply.retryAfter) * 1000);
    }
  }

  /** The JSON of a reply, which must be a success. */
  // The type of a reply depends on the request; each test checks what it expects.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  async json(method: string, path: string, sending: Sending = {}): Promise<any> {
    const reply = await this.send(method, path, sending);
    if (reply.status < 200 || reply.status >= 300)
      throw new Error(`${method} ${path} answered ${reply.status} ${reply.fault ?? ''} ${reply.text.slice(0, 500)}`);
    if (reply.text === '') return null;
    return reply.bytes > keptBytes ? firstFields(reply.text) : JSON.parse(reply.text);
  }

  private note(method: string, path: string, reply: Reply): void {
    const { status, bytes, milliseconds, retryAfter } = reply;
    if (milliseconds > this.slowest.milliseconds) this.slowest = { milliseconds, path: path.slice(0, 200) };
    const key = status === 0 ? 'none' : String(status);
    this.statuses.set(key, (this.statuses.get(key) ?? 0) + 1);
    this.largestReply = Math.max(this.largestReply, bytes);
    const line = lineOf(method, path, reply);
    if (status === 503 && retryAfter !== null) this.refusals.push(line);
    else if (status === 0 || status >= 500) this.failures.push(line);
  }

  private once(method: string, path: string, { token, body, headers = {} }: Sending): Promise<Reply> {
    const started = performance.now();
    const bytes = body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const size = bytes === undefined ? 0 : Buffer.byteLength(bytes);
    this.sentBytes += size;
    const all = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(bytes === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(size) }),
      ...headers,
    };
    return new Promise((resolve) => {
      const pieces: Buffer[] = [];
      let received = 0;
      let status = 0;
      let retryAfter: string | null = null;
      const end = (fault: string | null) =>
        resolve({
          status: fault === null ? status : 0,
          text: Buffer.concat(pieces).toString('utf8'),
          bytes: received,
          milliseconds: Math.round(performance.now() - started),
          retryAfter,
          fault: fault === null ? null : `${fault} after ${received} bytes of ${status}`,
        });
      const sent = request(
        this.url + path,
        { method, headers: all, agent: this.connections, timeout: patienceMs },
        (reply) => {
          status = reply.statusCode ?? 0;
          retryAfter = reply.headers['retry-after'] ?? null;
          reply.on('data', (piece: Buffer) => {
            if (received < keptBytes) pieces.push(piece);
            received += piece.length;
          });
          reply.on('end', () => end(null));
          reply.on('error', (error) => end(error.message));
        },
      );
      // A refusal may come before the whole body was taken; what follows on that connection is of no interest.
      sent.on('error', (error) => end(error.message));
      // Nor is what its connection reports once the reply was taken.
      sent.on('socket', (socket) => socket.off('error', ignore).on('error', ignore));
      sent.on('timeout', () => sent.destroy(new Error('no byte for three minutes')));
      sent.end(bytes);
    });
  }
}
