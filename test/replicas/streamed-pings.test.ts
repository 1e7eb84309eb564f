import { describeOnPostgres, temporaryDirectory } from '../support/database.js';
import { PingStream } from '../support/ping-stream.js';
import { ApiUser } from './api-user.js';
import { ownDatabase, queryAll } from './evidence.js';
import { type Answer, HttpCaller } from './http-caller.js';
import { agentToken, Replica } from './installation.js';

const command = 'env: {BUILDKITE_SKIP_CHECKOUT: "true"}\nsteps: [{command: "true", parallelism: 4}]';
const buildsCount = 8;
const agentsOfAReplica = 3;

/** An agent that streams its pings from one replica and makes its other calls to it. */
class StreamingAgent {
  id = '';
  session = '';
  readonly accepted: string[] = [];

  constructor(
    readonly url: string,
    private readonly caller: HttpCaller,
  ) {}

  async connect(): Promise<this> {
    const { body } = await this.call('POST', '/register', agentToken, { name: 'agent-%n', version: '3.137.0' });
    this.id = body.id;
    this.session = body.access_token;
    await this.call('POST', '/connect', this.session);
    return this;
  }

  open(): PingStream {
    return PingStream.open(this.url, this);
  }

  /** Runs what it is offered until it is told to disconnect. */
  async run(stream: PingStream): Promise<void> {
    for (;;) {
      const message = await stream.next();
      if (message.kind === 'disconnect') return stream.leave();
      if (message.kind === 'job') await this.take(message.jobId);
    }
  }

  async take(job: string): Promise<void> {
    const accepted = await this.call('PUT', `/jobs/${job}/accept`, this.session);
    if (accepted.status !== 200) throw new Error(`accept answered ${accepted.status}`);
    this.accepted.push(job);
    const token: string = accepted.body.token;
    await this.call('PUT', `/jobs/${job}/start`, token, { started_at: new Date().toISOString() });
    await this.call('PUT', `/jobs/${job}/finish`, token, { exit_status: '0', finished_at: new Date().toISOString() });
  }

  private call(method: string, path: string, token: string, body: object = {}): Promise<Answer> {
    const headers = { Authorization: `Token ${token}`, 'Content-Type': 'application/json' };
    return this.caller.call(method, `/v3${path}`, headers, JSON.stringify(body));
  }
}

describeOnPostgres('agents that stream their pings from two replicas', () => {
  const directory = temporaryDirectory();
  let database: Awaited<ReturnType<typeof ownDatabase>>;
  let replicas: [Replica, Replica];
  const only = (index: 0 | 1) => new HttpCaller(() => [replicas[index].url]);
  const agentOn = (index: 0 | 1) => new StreamingAgent(replicas[index].url, only(index)).connect();

  beforeAll(async () => {
    database = await ownDatabase(process.env['TEST_DATABASE_URL'] ?? '', `slipway_pings_${process.pid}_${Date.now()}`);
    const env = { DATABASE_URL: database.url, DATA_DIR: directory.path };
    replicas = await Promise.all([Replica.start(directory.path, env), Replica.start(directory.path, env)]);
    await new ApiUser(only(0)).pipeline('wide', command);
  }, 90_000);
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.stop()));
    await database.drop();
    directory.remove();
  });

  test('a job made ready by one replica reaches the agent that waits at the other, as does a request to stop', async () => {
    const agent = await agentOn(1);
    const stream = agent.open();
    expect(await stream.next()).toEqual({ kind: 'resume' });
    const user = new ApiUser(only(0));
    await user.build('wide', 'across');
    const offered = await stream.next();
    expect(offered.kind).toBe('job');
    const running = agent.run(stream);
    if (offered.kind === 'job') await agent.take(offered.jobId);
    await finished(1);
    expect((await user.rest('PUT', `/organizations/acme/agents/${agent.id}/stop`, {})).status).toBe(204);
    await running;
  }, 60_000);

  test('every job goes to one agent, wherever it was made ready and wherever the agent waits', async () => {
    const agents = await Promise.all(
      ([0, 1] as const).flatMap((index) => Array.from({ length: agentsOfAReplica }, () => agentOn(index))),
    );
    const running = agents.map((agent) => agent.run(agent.open()));
    await Promise.all(
      Array.from({ length: buildsCount }, (_, index) =>
        new ApiUser(only(index % 2 === 0 ? 0 : 1)).build('wide', `build-${index}`),
      ),
    );
    await Promise.race([finished(buildsCount + 1), ...running]);
    const user = new ApiUser(only(0));
    for (const { id } of agents) await user.rest('PUT', `/organizations/acme/agents/${id}/stop`, {});
    await Promise.all(running);
    const accepted = agents.flatMap((agent) => agent.accepted);
    expect([accepted.length, new Set(accepted).size]).toEqual([buildsCount * 4, buildsCount * 4]);
    const odd = await queryAll(
      database.url,
      `select j.id, j.attempt, count(*) filter (where e.type = 'job.assign')::int as assigns, count(*) filter (where e.type = 'job.accept')::int as accepts
       from jobs j join events e on e.job_id = j.id group by j.id having count(*) filter (where e.type = 'job.accept') <> 1 or count(*) filter (where e.type = 'job.assign') <> j.attempt`,
    );
    expect(odd).toEqual([]);
    expect(replicas.flatMap((replica) => replica.errors())).toEqual([]);
  }, 90_000);

  async function finished(count: number): Promise<void> {
    const deadline = Date.now() + 60_000;
    for (;;) {
      const rows = await queryAll<{ count: number }>(
        database.url,
        `select count(*)::int from builds where state = 'passed'`,
      );
      if (rows[0]?.count === count) return;
      if (Date.now() > deadline)
        throw new Error(
          JSON.stringify(await queryAll(database.url, 'select state, count(*)::int from jobs group by state')),
        );
      await new Promise((done) => setTimeout(done, 100));
    }
  }
});
