import { setTimeout as sleep } from 'node:timers/promises';
import { ApiUser, type CreatedBuild } from './api-user.js';
import { HttpCaller } from './http-caller.js';
import { noWork, ProtocolAgent } from './protocol-agent.js';

export const jobsOfEachBuild = 3;
const configuration =
  'env: {BUILDKITE_SKIP_CHECKOUT: "true"}\n' +
  'steps: [{command: "true", parallelism: 2}, wait, {command: "true", concurrency: 1, concurrency_group: gate}]';

const restReads = [
  '/organizations/acme/builds?per_page=20',
  '/organizations/acme/pipelines',
  '/organizations/acme/agents',
  '/organizations/acme/pipelines/deploy/builds?state=running',
];
const graphqlRead = `{ organization(slug: "acme") { pipelines(first: 5) { edges { node { slug
  builds(first: 5) { edges { node { number state jobs(first: 5) { edges { node { ... on JobTypeCommand { state } } } } } } } } } } } }`;

const agentsCount = 4;

/**
 * A load that goes through a proxy: users who make builds over both surfaces, readers of both, and agents that run the
 * jobs with logs and artifacts. Every request that gets no answer or a 5xx is counted, also where its caller tries
 * again.
 */
export class ProxiedLoad {
  readonly created: CreatedBuild[] = [];
  readonly work = noWork();
  private readonly callers: HttpCaller[] = [];
  private readonly closing = new AbortController();
  private readonly stopping = new AbortController();
  private creating: Promise<void>[] = [];
  private running: Promise<unknown>[] = [];
  private failed: unknown = null;

  /** `readers` and the pause after each of their reads say how many requests are under way at a time. */
  constructor(
    private readonly url: string,
    private readonly reading = { readers: 3, pauseMs: 40 },
  ) {}

  private caller(): HttpCaller {
    const made = new HttpCaller(() => [this.url]);
    this.callers.push(made);
    return made;
  }

  async start(prefix: string): Promise<void> {
    const user = new ApiUser(this.caller());
    const { body } = await user.rest('GET', '/organizations/acme/pipelines/deploy');
    const pipelineId: string = body.graphql_id ?? (await user.pipeline('deploy', configuration));
    const noted = (work: Promise<void>) => work.catch((error: unknown) => void (this.failed ??= error));
    this.creating = [noted(this.create(prefix, pipelineId))];
    for (let index = 0; index < this.reading.readers; index += 1) this.running.push(noted(this.read(index)));
    for (let index = 0; index < agentsCount; index += 1) {
      const behaviour = { chunks: 2, pauseMs: 20, artifact: true };
      this.running.push(noted(new ProtocolAgent(this.caller(), this.work, behaviour).run(this.stopping.signal)));
    }
  }

  private async create(prefix: string, pipelineId: string): Promise<void> {
    const user = new ApiUser(this.caller());
    for (let count = 0; !this.closing.signal.aborted; count += 1) {
      const key = `${prefix}-${count}`;
      this.created.push(await (count % 2 ? user.build('deploy', key) : user.buildByGraphql('deploy', pipelineId, key)));
      await sleep(250);
    }
  }

  private async read(index: number): Promise<void> {
    const user = new ApiUser(this.caller());
    for (let count = index; !this.stopping.signal.aborted; count += 1) {
      const path = restReads[count % (restReads.length + 1)];
      const { status, body } = await (path ? user.rest('GET', path) : user.graphql(graphqlRead, {}));
      if (status !== 200 || body.errors) throw new Error(`${path ?? 'GraphQL'}: ${status} ${JSON.stringify(body)}`);
      await sleep(this.reading.pauseMs);
    }
  }

  /** Waits until so many more builds are made. */
  async more(builds: number): Promise<void> {
    const until = this.created.length + builds;
    while (this.created.length < until && this.failed === null) await sleep(20);
  }

  /** Makes no more builds, and returns once every one of them has passed and nobody calls any more. */
  async stop(): Promise<void> {
    this.closing.abort();
    await Promise.all(this.creating);
    try {
      const user = new ApiUser(this.caller());
      const deadline = Date.now() + 90_000;
      for (const { number } of this.created) {
        for (let state = ''; state !== 'passed' && this.failed === null; await sleep(state === 'passed' ? 0 : 100)) {
          ({ state } = (await user.rest('GET', `/organizations/acme/pipelines/deploy/builds/${number}`)).body);
          if (Date.now() > deadline) throw new Error(`build ${number} is ${state}`);
        }
      }
    } finally {
      this.stopping.abort();
      await Promise.all(this.running);
    }
    if (this.failed !== null) throw this.failed;
  }

  /** Requests of all callers that were answered. */
  get answered(): number {
    return this.callers.reduce((sum, { answers }) => sum + answers, 0);
  }

  /** Requests that got no answer or a 5xx, by status. */
  get failures(): Record<string, number> {
    const sums: Record<string, number> = {};
    for (const { failuresByStatus } of this.callers)
      for (const [status, count] of failuresByStatus) sums[status] = (sums[status] ?? 0) + count;
    return sums;
  }

  /** The first of them of each caller in words. */
  get failedTries(): string[] {
    return this.callers.flatMap(({ failedTries }) => failedTries);
  }
}
