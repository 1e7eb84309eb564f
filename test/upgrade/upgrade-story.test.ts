import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Migration } from '@mikro-orm/migrations';
import { migrate } from '../../src/database/migrate.js';
import { openDatabase } from '../../src/database/open.js';
import { loadMigrations, migrationNames } from '../../src/migrations/registry.js';
import { ApiUser, type CreatedBuild } from '../replicas/api-user.js';
import { ownDatabase, queryAll, sharedAttempts } from '../replicas/evidence.js';
import { HttpCaller } from '../replicas/http-caller.js';
import { Replica, secretKey } from '../replicas/installation.js';
import { noWork, ProtocolAgent } from '../replicas/protocol-agent.js';
import { describeOnPostgres, temporaryDirectory } from '../support/database.js';
import { formerProgram, formerRelease, noFormerProgram } from '../support/former-program.js';
import { builtProgram, Program } from '../support/program.js';
import { testUnless } from '../support/skips.js';

const configuration =
  'env: {BUILDKITE_SKIP_CHECKOUT: "true"}\nsteps: [{command: "true", parallelism: 2}, wait, {command: "true", concurrency: 1, concurrency_group: gate}]';
const agentsCount = 8;

/** A migration such as the next release may bring: it takes nothing away. */
class NextRelease extends Migration {
  override up(): void {
    this.addSql('alter table "builds" add "weight" int null');
    this.addSql('create table "weights" ("id" uuid not null primary key, "build_id" uuid not null)');
  }
}

/** Users who make builds, and agents that run them, through whatever replicas a load balancer has at the moment. */
class Load {
  replicas: Replica[] = [];
  readonly created: CreatedBuild[] = [];
  readonly work = noWork();
  private readonly callers: HttpCaller[] = [];
  private readonly closing = new AbortController();
  private readonly stopping = new AbortController();
  private readonly running: Promise<unknown>[] = [];

  caller(start = 0): HttpCaller {
    const made = new HttpCaller(() => this.replicas.map(({ url }) => url), start);
    this.callers.push(made);
    return made;
  }

  start(): void {
    const user = new ApiUser(this.caller());
    const create = async () => {
      for (let count = 0; !this.closing.signal.aborted; count += 1) {
        this.created.push(await user.build('deploy', `build-${count}`));
        await sleep(60);
      }
    };
    this.running.push(create());
    for (let index = 0; index < agentsCount; index += 1)
      this.running.push(
        new ProtocolAgent(this.caller(index), this.work, { chunks: 1, pauseMs: 10 }).run(this.stopping.signal),
      );
  }

  /** Waits until so many more builds are made. */
  async more(builds: number): Promise<void> {
    const until = this.created.length + builds;
    while (this.created.length < until) await sleep(20);
  }

  /** Makes no more builds; agents run those that there are until they have `finished`. */
  async stop(finished: (builds: number) => Promise<void>): Promise<void> {
    this.closing.abort();
    await this.running[0];
    await finished(this.created.length);
    this.stopping.abort();
    await Promise.all(this.running);
  }

  /** Requests that got no answer, or a 5xx. */
  get failures(): string[] {
    return this.callers.flatMap(({ failedTries }) => failedTries);
  }
}

describeOnPostgres('an upgrade', () => {
  const directory = temporaryDirectory();
  const server = process.env['TEST_DATABASE_URL'] ?? '';
  const databases: Awaited<ReturnType<typeof ownDatabase>>[] = [];
  const replicas: Replica[] = [];
  const newDatabase = async (name: string) => {
    const database = await ownDatabase(server, `slipway_${name}_${process.pid}_${Date.now()}`);
    databases.push(database);
    return database.url;
  };
  const envOf = (url: string) => ({
    DATABASE_URL: url,
    DATA_DIR: join(directory.path, basename(new URL(url).pathname)),
    SECRET_KEY: secretKey,
  });
  const start = async (url: string, main?: string) => {
    const replica = await Replica.start(directory.path, envOf(url), [], main);
    replicas.push(replica);
    return replica;
  };
  // Compiling later would hold up the requests, which this process makes.
  beforeAll(() => void builtProgram());
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.kill()));
    for (const database of databases) await database.drop();
    directory.remove();
  });

  async function finished(url: string, count: number): Promise<void> {
    const deadline = Date.now() + 60_000;
    for (;;) {
      const [row] = await queryAll<{ count: number }>(
        url,
        `select count(*)::int as count from builds where state = 'passed'`,
      );
      if (row?.count === count) return;
      if (Date.now() > deadline) throw new Error(`${row?.count} of ${count} builds have passed`);
      await sleep(200);
    }
  }

  async function expectWhole(url: string, load: Load): Promise<void> {
    expect(load.failures, load.failures.join('\n')).toEqual([]);
    expect(sharedAttempts(load.work)).toEqual([]);
    expect(new Set(load.created.map(({ number }) => number)).size).toBe(load.created.length);
    const check = await Program.start(['check'], envOf(url)).ended;
    expect([check.stdout, check.stderr]).toEqual(['', expect.stringContaining('everything is as it should be')]);
  }

  const buildQuery = `{ organization(slug: "acme") { name pipelines(first: 5) { edges { node { slug builds(first: 5) {
    edges { node { number state message jobs(first: 10) { edges { node { ... on JobTypeCommand { uuid state exitStatus } } } } } } } } } } } }`;

  testUnless(
    noFormerProgram(),
    `from ${formerRelease.version} under load, beside a replica of it, fails no request and changes nothing that is read`,
    async () => {
      const url = await newDatabase('upgrade');
      const former = await start(url, formerProgram());
      const load = new Load();
      load.replicas = [former];
      const user = new ApiUser(load.caller());
      await user.pipeline('deploy', configuration);
      const first = await user.build('deploy', 'the first');
      const [before] = await queryAll<{ count: number }>(url, 'select count(*)::int as count from slipway_migrations');
      expect(before?.count).toBeLessThan(migrationNames.length);
      load.start();
      await load.more(10);

      const present = await start(url);
      load.replicas = [former, present];
      await load.more(20);
      const [after] = await queryAll<{ count: number }>(url, 'select count(*)::int as count from slipway_migrations');
      expect(after?.count).toBe(migrationNames.length);

      // What both say of what one of them made.
      const path = `/organizations/acme/pipelines/deploy/builds/${first.number}`;
      const reads = async (replica: Replica) => {
        const own = new ApiUser(new HttpCaller(() => [replica.url]));
        return {
          rest: (await own.rest('GET', path)).body,
          graphql: (await own.graphql(buildQuery, {})).body,
        };
      };
      load.replicas = [present];
      await load.stop((builds) => finished(url, builds + 1));
      const [ofFormer, ofPresent] = [await reads(former), await reads(present)];
      expect(ofPresent.rest.state).toBe('passed');
      expect(withoutHosts(ofPresent)).toMatchObject(withoutHosts(ofFormer));

      await former.stop();
      await expectWhole(url, load);
      // It does not know yet that it may.
      await expect(former.restart()).rejects.toThrow(/the database is newer than this program/);
      expect([former, present].flatMap((replica) => replica.errors())).toEqual([]);
    },
    240_000,
  );

  test('of which the migrations have run fails no request of a replica of the release before, which may start again', async () => {
    const url = await newDatabase('next');
    const former = await start(url);
    const load = new Load();
    load.replicas = [former];
    await new ApiUser(load.caller()).pipeline('deploy', configuration);
    load.start();
    await load.more(10);
    const name = '29990101000000-next-release';
    const migrations = [...(await loadMigrations()), { name, class: NextRelease }];
    const next = await openDatabase({ databaseUrl: url, dataDir: '', migrations });
    expect(await migrate(next)).toEqual([name]);
    await next.close();
    await load.more(10);
    // A second one of the release before, as when a machine is replaced.
    const again = await start(url);
    load.replicas = [former, again];
    await load.more(10);
    load.replicas = [again];
    await former.stop();
    await load.more(5);
    await load.stop((builds) => finished(url, builds));
    await expectWhole(url, load);
  }, 240_000);

  test('whose migrations were killed goes on where they were', async () => {
    const url = await newDatabase('killed');
    const count = async () => {
      const rows = await queryAll<{ count: number }>(
        url,
        'select count(*)::int as count from slipway_migrations',
      ).catch(() => []);
      return rows[0]?.count ?? 0;
    };
    const first = Program.start(['migrate'], envOf(url));
    while ((await count()) < 5) await sleep(5);
    await first.stop('SIGKILL');
    const done = await count();
    expect(done).toBeLessThan(migrationNames.length);
    const second = await Program.start(['migrate', '--json'], envOf(url)).ended;
    expect(second).toMatchObject({ code: 0 });
    expect(JSON.parse(second.stdout).migrated).toEqual(migrationNames.slice(-(migrationNames.length - done)));
    expect(await count()).toBe(migrationNames.length);
  }, 120_000);
});

/** URLs name the port of the replica that was asked. */
const withoutHosts = <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll(/127\.0\.0\.1:\d+/g, 'host')) as T;
