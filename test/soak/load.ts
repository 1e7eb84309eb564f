import { setTimeout as sleep } from 'node:timers/promises';
import { ApiUser, type CreatedBuild } from '../replicas/api-user.js';
import { HttpCaller } from '../replicas/http-caller.js';
import { userToken } from '../replicas/installation.js';
import { noWork, ProtocolAgent } from '../replicas/protocol-agent.js';
import { StreamReader } from '../replicas/stream-reader.js';

export interface LoadOptions {
  agents: number;
  /** Between the starts of two builds. */
  buildEveryMs: number;
  chunks: number;
  chunkBytes: number;
}

const configuration =
  'env: {BUILDKITE_SKIP_CHECKOUT: "true"}\nsteps: [{command: "true", parallelism: 2}, wait, {command: "true"}]';
const ofPipelines =
  'subscription ($after: String) { pipelines(id: "acme", after: $after) { cursor event { uuid subject } } }';
const ofAgents = 'subscription ($after: String) { agents(id: "acme", after: $after) { cursor event { uuid } } }';
const ofLog = 'subscription ($id: ID!, $after: String) { jobLog(id: $id, after: $after) { cursor content finished } }';
const lists =
  '{ organization(slug: "acme") { pipelines(first: 5) { edges { node { slug builds(first: 5) { edges { node { number state jobs(first: 5) { edges { node { __typename ... on JobTypeCommand { uuid state } } } } } } } } } } } }';
const pausesMs = { logs: 1500, lists: 2500, followLog: 5000 } as const;
/** The messages of a reader that goes on for hours are not kept. */
const messagesKept = 100;

/** Agents, builds, followers and readers of one server, at a rate that does not change. */
export class Load {
  readonly counts = { builds: 0, logs: 0, lists: 0, wsMessages: 0, sseMessages: 0 };
  /** What went wrong, with how often. */
  readonly errors = new Map<string, number>();
  private readonly stop = new AbortController();
  private readonly callers: HttpCaller[] = [];
  private readonly readers = new Set<StreamReader>();
  private readonly recent: CreatedBuild[] = [];
  private running: Promise<unknown>[] = [];

  constructor(
    private readonly urls: () => string[],
    private readonly options: LoadOptions,
  ) {}

  async start(): Promise<void> {
    const user = new ApiUser(this.caller());
    await user.pipeline('soak', configuration);
    const { agents, chunks, chunkBytes, buildEveryMs } = this.options;
    const idleMs = agents * 100;
    this.running = [
      ...Array.from({ length: agents }, (_, index) =>
        this.noted('agent', () => this.agent(index, { chunks, chunkBytes, pauseMs: 100, idleMs })),
      ),
      this.repeated('build', buildEveryMs, async () => {
        this.recent.push(await user.build('soak', `soak-${this.counts.builds}`));
        if (this.recent.length > 20) this.recent.shift();
        this.counts.builds += 1;
      }),
      this.repeated('log', pausesMs.logs, () => this.readLog(user)),
      this.repeated('list', pausesMs.lists, () => this.readLists(user)),
      this.repeated('follow log', pausesMs.followLog, () => this.followLog(user)),
      this.noted('websocket', () => this.follow(ofPipelines)),
      this.noted('websocket', () => this.follow(ofPipelines)),
      this.noted('websocket', () => this.follow(ofAgents)),
      this.noted('sse', () => this.followBySse(ofPipelines)),
      this.noted('sse', () => this.followBySse(ofAgents)),
    ];
  }

  async end(): Promise<void> {
    this.stop.abort();
    for (const reader of this.readers) reader.stop();
    await Promise.race([Promise.allSettled(this.running), sleep(30_000, undefined, { ref: false })]);
  }

  /** Calls that got no answer, or a 5xx or 429. */
  get failures(): number {
    return this.callers.reduce((sum, { failures }) => sum + failures, 0);
  }

  get failuresByStatus(): Record<string, number> {
    const sums: Record<string, number> = {};
    for (const { failuresByStatus } of this.callers)
      for (const [status, count] of failuresByStatus) sums[status] = (sums[status] ?? 0) + count;
    return sums;
  }

  private caller(): HttpCaller {
    const made = new HttpCaller(this.urls);
    this.callers.push(made);
    return made;
  }

  private async agent(
    index: number,
    behaviour: { chunks: number; chunkBytes: number; pauseMs: number; idleMs: number },
  ): Promise<void> {
    await sleep((index * behaviour.idleMs) / this.options.agents);
    await new ProtocolAgent(this.caller(), noWork(), behaviour).run(this.stop.signal);
  }

  private async noted(kind: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (this.stop.signal.aborted) return;
      const text = `${kind}: ${error instanceof Error ? error.message.slice(0, 200) : String(error)}`;
      this.errors.set(text, (this.errors.get(text) ?? 0) + 1);
    }
  }

  private async repeated(kind: string, everyMs: number, work: () => Promise<void>): Promise<void> {
    while (!this.stop.signal.aborted) {
      const started = Date.now();
      await this.noted(kind, work);
      await sleep(Math.max(0, everyMs - (Date.now() - started)), undefined, { signal: this.stop.signal }).catch(
        () => undefined,
      );
    }
  }

  private async jobOf(user: ApiUser, build: CreatedBuild | undefined): Promise<{ id: string; path: string } | null> {
    if (!build) return null;
    const path = `/organizations/acme/pipelines/${build.pipeline}/builds/${build.number}`;
    const { body } = await user.rest('GET', path);
    const job = body.jobs?.find(({ type }: { type: string }) => type === 'script');
    return job ? { id: job.id, path: `${path}/jobs/${job.id}/log` } : null;
  }

  /** Whole in each form, and the end alone. */
  private async readLog(user: ApiUser): Promise<void> {
    const job = await this.jobOf(user, this.recent.at(-8) ?? this.recent.at(0));
    if (!job) return;
    const requests: [string, Record<string, string>][] = [
      ['', {}],
      ['.html', {}],
      ['.txt', {}],
      ['.txt', { Range: 'bytes=-512' }],
    ];
    for (const [suffix, headers] of requests) {
      const { status } = await user.rest('GET', `${job.path}${suffix}`, undefined, headers);
      if (status >= 400 && status !== 416) throw new Error(`a log answered ${status}`);
      this.counts.logs += 1;
    }
  }

  private async readLists(user: ApiUser): Promise<void> {
    const answers = [
      await user.rest('GET', '/builds?per_page=10'),
      await user.rest('GET', '/organizations/acme/agents'),
      await user.graphql(lists, {}),
    ];
    for (const { status, body } of answers) {
      if (status !== 200 || body.errors)
        throw new Error(`a list answered ${status} ${JSON.stringify(body.errors ?? '')}`);
      this.counts.lists += 1;
    }
  }

  private async follow(query: string, variables: Record<string, unknown> = {}): Promise<void> {
    const reader = new StreamReader(this.urls, query, variables);
    this.readers.add(reader);
    let counted = 0;
    const trim = setInterval(() => {
      this.counts.wsMessages += reader.messages.length - counted;
      if (reader.messages.length > messagesKept) reader.messages.splice(0, reader.messages.length - messagesKept);
      counted = reader.messages.length;
    }, 1000);
    try {
      await reader.run();
      if (reader.refusals.length > 0) throw new Error(`a stream was refused: ${JSON.stringify(reader.refusals[0])}`);
    } finally {
      clearInterval(trim);
      this.counts.wsMessages += reader.messages.length - counted;
      this.readers.delete(reader);
    }
  }

  private async followLog(user: ApiUser): Promise<void> {
    const job = await this.jobOf(user, this.recent.at(-1));
    if (job) await this.follow(ofLog, { id: job.id });
  }

  private async followBySse(query: string): Promise<void> {
    while (!this.stop.signal.aborted) {
      const [url] = this.urls();
      const headers = {
        Authorization: `Bearer ${userToken}`,
        'Content-Type': 'application/json',
        Accept: 'text/event-stream',
      };
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ query }),
        signal: this.stop.signal,
      });
      if (response.status !== 200 || !response.body) throw new Error(`an event stream answered ${response.status}`);
      for await (const bytes of response.body)
        this.counts.sseMessages += Buffer.from(bytes).toString('utf8').split('event: next').length - 1;
    }
  }
}
