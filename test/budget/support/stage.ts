import { randomUUID } from 'node:crypto';
import { ownDatabase } from '../../replicas/evidence.js';
import { agentToken, userToken } from '../../replicas/installation.js';
import { temporaryDirectory } from '../../support/directory.js';
import { offeredJob } from '../../support/offered-job.js';
import { BudgetServer } from './budget-server.js';
import { readStoredValues, type StoredValues } from './stored-values.js';
import { Client, type Reply, type Sending } from './client.js';

export const databases = ['embedded', 'postgres'] as const;
export type DatabaseKind = (typeof databases)[number];
export const postgresUrl = process.env['TEST_DATABASE_URL'];

/** A job that runs, with the token that its agent calls with. */
export interface HeldJob {
  id: string;
  token: string;
  agent: string;
  session: string;
}

/** The figures of a row or a kind, printed as one line of JSON. */
export interface Summary {
  database: DatabaseKind;
  kind: string;
  stored_bytes: number;
  largest_reply: number;
  slowest_reply: { milliseconds: number; path: string };
  peak_rss_mb: number;
  healthz_slowest_ms: number;
  healthz_not_200: number;
  loop_longest_cpu_ms: number;
  statuses: Record<string, number>;
  repeated: string[];
  died: string | null;
  [more: string]: unknown;
}

export const acme = '/organizations/acme';
export const rssLimitMb = 1_200;
/**
 * Twice the stretch of the event loop that a caller of /healthz may notice, in CPU time, which no other process
 * stretches.
 */
export const turnLimitMs = 500;

/** A server with an organization in front of its test: what callers do, and what became of the server. */
export class Stage {
  client!: Client;
  /** What the test wants to see in the summary beside the figures. */
  readonly notes: Record<string, unknown> = {};

  private constructor(
    readonly database: DatabaseKind,
    readonly server: BudgetServer,
    private readonly place: { directory: string; databaseUrl: string | undefined },
    private readonly cleanUp: () => Promise<void>,
  ) {
    this.client = new Client(server.url);
  }

  static async open(database: DatabaseKind, { users = 0 } = {}): Promise<Stage> {
    const directory = temporaryDirectory();
    const own =
      database === 'postgres' && postgresUrl !== undefined
        ? await ownDatabase(postgresUrl, `slipway_budget_${process.pid}_${Date.now()}`)
        : null;
    const cleanUp = async () => {
      await own?.drop();
      directory.remove();
    };
    try {
      const server = await BudgetServer.start(directory.path, own?.url, users);
      return new Stage(database, server, { directory: directory.path, databaseUrl: own?.url }, cleanUp);
    } catch (error) {
      await cleanUp();
      throw error;
    }
  }

  /** Ends the server as a machine does, and starts it again on its data. */
  async restart(): Promise<void> {
    await this.server.stop();
    await this.server.run();
    const { statuses, failures, refusals, repeated, largestReply, sentBytes } = this.client;
    this.client.close();
    this.client = Object.assign(new Client(this.server.url), {
      statuses,
      failures,
      refusals,
      repeated,
      largestReply,
      sentBytes,
    });
  }

  /** Stops the server and reads what it has stored. */
  async stored(): Promise<StoredValues> {
    await this.server.stop('SIGTERM');
    return readStoredValues(this.place.directory, this.place.databaseUrl);
  }

  async close(): Promise<void> {
    this.client.close();
    await this.server.stop();
    await this.cleanUp();
  }

  async summary(kind: string): Promise<Summary> {
    const health = await this.server.health();
    return {
      database: this.database,
      kind,
      stored_bytes: this.client.sentBytes,
      largest_reply: this.client.largestReply,
      slowest_reply: this.client.slowest,
      peak_rss_mb: this.server.peakRssMb,
      healthz_slowest_ms: health.slowest_ms,
      healthz_not_200: health.not_200,
      loop_longest_cpu_ms: this.server.longestTurn.cpu_ms,
      statuses: Object.fromEntries(this.client.statuses),
      repeated: this.client.repeated.splice(0),
      died: this.server.death,
      ...this.notes,
    };
  }

  readonly token = userToken;

  /** Begins new figures; what is stored, and the most memory, go on. */
  forget(): void {
    this.client.statuses.clear();
    this.client.largestReply = 0;
    this.client.slowest = { milliseconds: 0, path: '' };
    this.server.forgetTurns();
  }

  rest(method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<Reply> {
    return this.client.send(method, `/v2${path}`, { token: userToken, headers, ...(body && { body }) });
  }

  // The type of a reply depends on the request; each test checks what it expects.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  made(method: string, path: string, body: object | undefined = method === 'GET' ? undefined : {}): Promise<any> {
    return this.client.json(method, `/v2${path}`, { token: userToken, ...(body && { body }) });
  }

  graphql(query: string, variables: object = {}): Promise<Reply> {
    return this.client.send('POST', '/graphql', { token: userToken, body: { query, variables } });
  }

  agent(method: string, path: string, token: string, body?: object): Promise<Reply> {
    return this.client.send(method, `/v3${path}`, asAgent(token, body));
  }

  async pipeline(name: string, configuration: string, more: object = {}): Promise<string> {
    const repository = 'https://git.example.com/acme/app.git';
    const { slug } = await this.made('POST', `${acme}/pipelines`, { name, repository, configuration, ...more });
    return slug;
  }

  build(slug: string, more: object = {}): Promise<{ id: string; number: number }> {
    return this.made('POST', `${acme}/pipelines/${slug}/builds`, { commit: 'HEAD', branch: 'main', ...more });
  }

  /** Registers an agent, which takes the next job and starts it. */
  async takeJob(more: object = {}): Promise<HeldJob> {
    const registration = { name: 'agent-%n', version: '3.137.0', meta_data: ['queue=default'], ...more };
    const registered = await this.client.json('POST', '/v3/register', asAgent(agentToken, registration));
    const session: string = registered.access_token;
    await this.client.json('POST', '/v3/connect', asAgent(session));
    const id = await offeredJob(() => this.client.json('GET', '/v3/ping', asAgent(session)));
    const { token } = await this.client.json('PUT', `/v3/jobs/${id}/accept`, asAgent(session));
    const body = { started_at: new Date().toISOString() };
    await this.client.json('PUT', `/v3/jobs/${id}/start`, asAgent(token, body));
    return { id, token, agent: registered.id, session };
  }

  finish({ id, token }: HeldJob, exitStatus = '0'): Promise<Reply> {
    const body = { exit_status: exitStatus, finished_at: new Date().toISOString(), chunks_failed_count: 0 };
    return this.agent('PUT', `/jobs/${id}/finish`, token, body);
  }

  /** A job of a build of its own; no other job waits for an agent. */
  async jobOf(name: string): Promise<HeldJob & { slug: string; build: { id: string; number: number } }> {
    const slug = await this.pipeline(name, 'steps: [{ command: "true" }]');
    const build = await this.build(slug);
    return { ...(await this.takeJob()), slug, build };
  }

  /**
   * Sends the largest of these that the server takes: `send` is called with each size, from the largest on, until one
   * is answered with success. A refusal must be 413 or 422 and say something.
   */
  async largest(what: string, sizes: readonly number[], send: (size: number) => Promise<Reply>): Promise<number> {
    for (const size of [...sizes].sort((a, b) => b - a)) {
      const reply = await send(size);
      if (reply.status >= 200 && reply.status < 300) {
        this.notes[`${what}_taken`] = size;
        return size;
      }
      const { message = '' } = safeJson(reply.text);
      if ((reply.status !== 413 && reply.status !== 422) || message === '')
        throw new Error(`${what} of ${size} was answered ${reply.status} ${reply.fault ?? reply.text.slice(0, 300)}`);
      this.notes[`${what}_refusal`] ??= `${reply.status} ${message}`.slice(0, 300);
    }
    throw new Error(`${what} was refused in every size: ${String(this.notes[`${what}_refusal`])}`);
  }
}

export const asAgent = (token: string, body?: object): Sending => ({
  headers: { authorization: `Token ${token}`, 'user-agent': 'buildkite-agent/3.137.0.x (linux; amd64)' },
  ...(body && { body }),
});

export function safeJson(text: string): { message?: string } {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** So many callers at once, each of which does it so often. */
export async function atOnce<T>(callers: number, call: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: callers }, (_, index) => call(index)));
}

export const uploadOf = (pipeline: object) => ({ uuid: randomUUID(), pipeline });
