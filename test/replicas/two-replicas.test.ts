import { describeOnPostgres, temporaryDirectory } from '../support/database.js';
import { ApiUser, type CreatedBuild } from './api-user.js';
import { ownDatabase, queryAll, sharedAttempts } from './evidence.js';
import { HttpCaller } from './http-caller.js';
import { Replica } from './installation.js';
import { noWork, ProtocolAgent } from './protocol-agent.js';

const agentsCount = 10;
const buildsCount = 20;
const pipelines = ['wide', 'staged'] as const;
/** Ten jobs each. */
const configurations = {
  wide: 'env: {BUILDKITE_SKIP_CHECKOUT: "true"}\nsteps: [{command: "true", parallelism: 10}]',
  staged:
    'steps: [{command: "true", parallelism: 4}, wait, {command: "true", parallelism: 3, concurrency: 2, concurrency_group: gate}, wait, {command: "true", parallelism: 3}]',
};

describeOnPostgres('two replicas on one database, ten agents and 200 jobs', () => {
  const directory = temporaryDirectory();
  let database: Awaited<ReturnType<typeof ownDatabase>>;
  let replicas: Replica[] = [];
  const urls = () => replicas.map(({ url }) => url);
  const caller = (start: number) => new HttpCaller(urls, start);

  beforeAll(async () => {
    database = await ownDatabase(process.env['TEST_DATABASE_URL'] ?? '', `slipway_two_${process.pid}_${Date.now()}`);
    const env = { DATABASE_URL: database.url, DATA_DIR: directory.path };
    replicas = await Promise.all([Replica.start(directory.path, env), Replica.start(directory.path, env)]);
  }, 90_000);
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.stop()));
    await database.drop();
    directory.remove();
  });

  test('every job has one owner, every build passes, every number is given once', async () => {
    const user = new ApiUser(caller(0));
    const ids = {
      wide: await user.pipeline('wide', configurations.wide),
      staged: await user.pipeline('staged', configurations.staged),
    };
    const work = noWork();
    const stop = new AbortController();
    const agents = Array.from({ length: agentsCount }, (_, index) =>
      new ProtocolAgent(caller(index), work, { chunks: 1, pauseMs: 5 }).run(stop.signal),
    );
    const created = await Promise.all(
      Array.from({ length: buildsCount }, (_, index): Promise<CreatedBuild> => {
        const pipeline = pipelines[index % 2] ?? 'wide';
        const someone = new ApiUser(caller(index >> 1));
        return index % 4 < 2
          ? someone.build(pipeline, `build-${index}`)
          : someone.buildByGraphql(pipeline, ids[pipeline], `build-${index}`);
      }),
    );
    await finished(created.length);
    stop.abort();
    await Promise.all(agents);

    expect(sharedAttempts(work)).toEqual([]);
    for (const pipeline of pipelines) {
      const numbers = created.filter((build) => build.pipeline === pipeline).map(({ number }) => number);
      expect(new Set(numbers).size).toBe(buildsCount / 2);
    }
    expect(await queryAll(database.url, 'select state, count(*)::int from builds group by state')).toEqual([
      { state: 'passed', count: buildsCount },
    ]);
    const jobs = await queryAll<{ accepts: number; assigns: number; attempt: number; ends: number }>(
      database.url,
      `select j.attempt, count(*) filter (where e.type = 'job.accept')::int as accepts, count(*) filter (where e.type = 'job.assign')::int as assigns,
              count(*) filter (where e.type = 'job.pass')::int as ends
       from jobs j left join events e on e.job_id = j.id where j.type = 'command' group by j.id`,
    );
    expect(jobs).toHaveLength(200);
    expect(
      jobs.filter(({ accepts, assigns, attempt, ends }) => accepts !== 1 || assigns !== attempt || ends !== 1),
    ).toEqual([]);
    expect(new Set(work.acceptances.map(({ job }) => job)).size).toBe(200);
    expect(await gaps()).toEqual([]);
    expect(replicas.flatMap((replica) => replica.errors())).toEqual([]);
  }, 120_000);

  async function finished(count: number): Promise<void> {
    const deadline = Date.now() + 90_000;
    for (;;) {
      const rows = await queryAll<{ count: number }>(
        database.url,
        `select count(*)::int from builds where finished_at is not null`,
      );
      if (rows[0]?.count === count) return;
      if (Date.now() > deadline)
        throw new Error(
          `unfinished: ${JSON.stringify(await queryAll(database.url, 'select state, count(*)::int from jobs group by state'))}`,
        );
      await new Promise((done) => setTimeout(done, 200));
    }
  }

  /** Builds whose events do not bear the numbers one to the last (I10). */
  const gaps = () =>
    queryAll(
      database.url,
      `select b.number from builds b left join events e on e.build_id = b.id group by b.id having count(e.id) <> b.event_sequence or max(e.sequence) <> b.event_sequence or count(distinct e.sequence) <> b.event_sequence`,
    );
});
