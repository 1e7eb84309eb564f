import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import {
  encodeStreamMessage,
  frame,
  type StreamMessage,
  streamPingsPath,
} from '../../src/domain/agents/stream-messages.js';

/** One request an agent made, in order of arrival. */
export interface RecordedCall {
  method: string;
  path: string;
  token: string;
  headers: IncomingMessage['headers'];
  json: Record<string, unknown>;
}

/** A job as the fake server stores it, with all reports of agents about it. */
export interface FakeJob {
  id: string;
  token: string;
  state: string;
  env: Record<string, unknown>;
  step?: unknown;
  chunksMaxSizeBytes: number;
  chunks: { sequence: number; offset: number; size: number; bytes: Buffer }[];
  finish?: Record<string, unknown>;
}

/** An answer that takes the place of the normal one. */
export interface Fault {
  status: number;
  body?: string;
  headers?: Record<string, string>;
  delayMs?: number;
}

interface Rule {
  method: string;
  path: RegExp;
  faults: ((call: RecordedCall) => Fault)[];
}

/** One stream of pings that an agent has opened. */
export class FakePingStream {
  constructor(private readonly response: ServerResponse) {}

  open(): void {
    this.response.writeHead(200, { 'Content-Type': 'application/grpc', Trailer: 'grpc-status' });
    this.response.flushHeaders();
  }

  say(message: StreamMessage): this {
    this.response.write(frame(encodeStreamMessage(message)));
    return this;
  }

  end(status: number): void {
    this.response.addTrailers({ 'grpc-status': String(status) });
    this.response.end();
  }

  /** The connection breaks. */
  cut(): void {
    this.response.destroy();
  }
}

/**
 * The server's side of the agent protocol, in memory: enough for one agent to connect, run jobs and leave.
 * Intervals are fractions of a second, which the wire does not allow and the bundled agent does not mind.
 */
export class FakeControlPlane {
  readonly calls: RecordedCall[] = [];
  readonly jobs: FakeJob[] = [];
  readonly metaData = new Map<string, string>();
  readonly secrets = new Map<string, string>();
  /** Sent with every ping answer. */
  pingExtra: Record<string, unknown> = {};
  registrationExtra: Record<string, unknown> = {};
  intervals = { ping: 0.02, status: 0.05, heartbeat: 10, chunks: 0.05 };
  readonly registrationToken = 'registration-token';
  /** Streams of pings that agents opened, and what answers the next one: null opens it, a status refuses it. */
  readonly streams: FakePingStream[] = [];
  streamStatus: number | null = 404;
  private readonly rules: Rule[] = [];
  private waiters: (() => void)[] = [];
  private agents = 0;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<FakeControlPlane> {
    const server = createServer();
    const plane = new FakeControlPlane(server);
    server.on('request', (request, response) => void plane.handle(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return plane;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v3`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  /** Puts a command job in the queue, without a repository unless `env` names one. */
  addJob(command: string, env: Record<string, unknown> = {}, extra: Partial<FakeJob> = {}): FakeJob {
    const id = randomUUID();
    const job: FakeJob = {
      id,
      token: `job-token-${id}`,
      state: 'scheduled',
      chunksMaxSizeBytes: 102_400,
      chunks: [],
      env: {
        BUILDKITE_JOB_ID: id,
        BUILDKITE_REPO: 'none',
        BUILDKITE_COMMIT: 'HEAD',
        BUILDKITE_BRANCH: 'main',
        BUILDKITE_ORGANIZATION_SLUG: 'acme',
        BUILDKITE_PIPELINE_SLUG: 'widgets',
        BUILDKITE_PIPELINE_PROVIDER: 'git',
        BUILDKITE_AGENT_NAME: 'agent-1',
        BUILDKITE_PULL_REQUEST: 'false',
        BUILDKITE_SKIP_CHECKOUT: 'true',
        BUILDKITE_COMMAND: command,
        ...env,
      },
      ...extra,
    };
    this.jobs.push(job);
    return job;
  }

  /** Answers the next matching requests with these faults, one each. */
  fail(method: string, path: RegExp, ...faults: Fault[]): void {
    this.rules.push({ method, path, faults: faults.map((fault) => () => fault) });
  }

  /** Answers one matching request with what `answer` makes of it. */
  on(method: string, path: RegExp, answer: (call: RecordedCall) => Fault): void {
    this.rules.push({ method, path, faults: [answer] });
  }

  callsTo(method: string, path: RegExp): RecordedCall[] {
    return this.calls.filter((call) => call.method === method && path.test(call.path));
  }

  /** Answers one matching request with this JSON. */
  reply(method: string, path: RegExp, json: unknown, status = 200, headers: Record<string, string> = {}): void {
    this.fail(method, path, { status, body: JSON.stringify(json), headers });
  }

  /** Resolves once `condition` holds; it is checked again after every request. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.waiters.push(resolve));
  }

  /** The job's log, assembled by offset as a server does. */
  log(job: FakeJob): Buffer {
    return Buffer.concat([...job.chunks].sort((a, b) => a.offset - b.offset).map((chunk) => chunk.bytes));
  }

  /** The job's log without the time stamps of its lines. */
  logText(job: FakeJob): string {
    return this.log(job)
      .toString('utf8')
      .replace(/\x1b_bk;t=\d+\x07/g, '');
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts);
    const url = new URL(request.url ?? '/', this.endpoint);
    const method = request.method ?? 'GET';
    const path = url.pathname.replace(/^\/v3/, '');
    if (path === streamPingsPath) return this.stream(response);
    const isJson = request.headers['content-type'] === 'application/json';
    const json = isJson ? (JSON.parse(body.toString('utf8')) as Record<string, unknown>) : {};
    const token = (request.headers.authorization ?? '').replace(/^Token /, '');
    const call = { method, path: `${path}${url.search}`, token, headers: request.headers, json };
    this.calls.push(call);

    const rule = this.rules.find((each) => each.method === method && each.path.test(path) && each.faults.length > 0);
    const fault = rule?.faults.shift()?.(call);
    if (fault?.delayMs) await new Promise((resolve) => setTimeout(resolve, fault.delayMs));
    const [status, reply] =
      fault && fault.status !== 0
        ? [fault.status, fault.body ?? { message: `fault ${fault.status}` }]
        : this.answer(method, path, url, token, json, body);
    response.writeHead(status, { 'Content-Type': 'application/json', ...fault?.headers });
    response.end(typeof reply === 'string' ? reply : JSON.stringify(reply));
    this.waiters.splice(0).forEach((resolve) => resolve());
  }

  /** A stream of pings: open until the test ends it, or refused with the status that is set. */
  private stream(response: ServerResponse): void {
    const stream = new FakePingStream(response);
    this.streams.push(stream);
    if (this.streamStatus === null) stream.open();
    else response.writeHead(this.streamStatus, { 'Content-Type': 'application/json' }).end('{}');
    this.waiters.splice(0).forEach((resolve) => resolve());
  }

  private answer(
    method: string,
    path: string,
    url: URL,
    token: string,
    json: Record<string, unknown>,
    body: Buffer,
  ): [number, unknown] {
    const jobPath = /^\/jobs\/([^/]+)(\/.*)?$/.exec(path);
    if (jobPath) {
      const job = this.jobs.find((each) => each.id === jobPath[1]);
      if (!job) return [404, { message: 'No such job' }];
      const action = `${method} ${jobPath[2] ?? ''}`;
      const session = action === 'PUT /accept' || action === 'PUT /acquire';
      if (!session && token !== job.token) return [401, { message: 'Not the token of this job' }];
      return this.answerJob(job, action, url, json, body);
    }
    switch (`${method} ${path}`) {
      case 'POST /register':
        if (token !== this.registrationToken) return [401, { message: 'Unknown agent token' }];
        this.agents += 1;
        return [
          200,
          {
            id: randomUUID(),
            name: `agent-${this.agents}`,
            access_token: `session-token-${this.agents}`,
            meta_data: json['meta_data'],
            ping_interval: this.intervals.ping,
            job_status_interval: this.intervals.status,
            heartbeat_interval: this.intervals.heartbeat,
            ...this.registrationExtra,
          },
        ];
      case 'GET /ping': {
        const offered = this.jobs.find((job) => job.state === 'scheduled' || job.state === 'assigned');
        if (offered && this.pingExtra['action'] === undefined) offered.state = 'assigned';
        return [200, { ...(offered ? { job: { id: offered.id } } : {}), ...this.pingExtra }];
      }
      case 'POST /heartbeat':
        return [200, { ...json, received_at: new Date().toISOString() }];
      case 'POST /connect':
      case 'POST /disconnect':
        return [204, ''];
      default:
        return [404, { message: 'Not found' }];
    }
  }

  private answerJob(
    job: FakeJob,
    action: string,
    url: URL,
    json: Record<string, unknown>,
    body: Buffer,
  ): [number, unknown] {
    const number = (name: string): number => Number(url.searchParams.get(name));
    switch (action) {
      case 'PUT /accept':
      case 'PUT /acquire':
        if (!['scheduled', 'assigned', 'accepted'].includes(job.state))
          return [422, { message: `The job is ${job.state}` }];
        job.state = 'accepted';
        return [
          200,
          {
            id: job.id,
            token: job.token,
            state: job.state,
            env: job.env,
            step: job.step,
            chunks_max_size_bytes: job.chunksMaxSizeBytes,
            chunks_interval_seconds: this.intervals.chunks,
          },
        ];
      case 'PUT /start':
        if (job.state !== 'accepted') return [422, { message: `The job is ${job.state}` }];
        job.state = 'running';
        return [200, {}];
      case 'GET ':
        return [200, { state: job.state }];
      case 'POST /chunks':
        job.chunks.push({
          sequence: number('sequence'),
          offset: number('offset'),
          size: number('size'),
          bytes: gunzipSync(body),
        });
        return [201, ''];
      case 'PUT /finish':
        job.finish = json;
        job.state = 'finished';
        return [200, {}];
      case 'POST /data/exists':
        return [200, { exists: this.metaData.has(String(json['key'])) }];
      case 'POST /data/set':
        this.metaData.set(String(json['key']), String(json['value']));
        return [204, ''];
      case 'GET /secrets': {
        const value = this.secrets.get(url.searchParams.get('key') ?? '');
        return value === undefined ? [404, { message: 'No such secret' }] : [200, { value }];
      }
      default:
        return [404, { message: 'Not found' }];
    }
  }
}
