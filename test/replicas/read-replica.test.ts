import { join } from 'node:path';
import { temporaryDirectory } from '../support/database.js';
import { noStandby, PostgresServer } from '../support/postgres-standby.js';
import { Program } from '../support/program.js';
import { describeUnless } from '../support/skips.js';
import { Replica, secretKey, userToken } from './installation.js';

const patience = { timeout: 30_000, interval: 100 };
const builds = '/v2/organizations/acme/pipelines/deploy/builds';

describeUnless(noStandby(), 'lists on a streaming standby of PostgreSQL', () => {
  const directory = temporaryDirectory();
  let primary: PostgresServer;
  let standby: PostgresServer;
  let first: Replica;
  let second: Replica;
  let reader = '';

  const envOf = (name: string, more: Record<string, string> = {}) => ({
    DATABASE_URL: primary.url,
    DATABASE_READ_URL: standby.url,
    DATA_DIR: join(directory.path, name),
    STORAGE_URL: `file:${join(directory.path, 'objects')}`,
    SECRET_KEY: secretKey,
    ...more,
  });

  beforeAll(async () => {
    primary = await PostgresServer.start();
    standby = await primary.standby();
    first = await Replica.start(directory.path, envOf('first'));
    second = await Replica.start(directory.path, envOf('second'));
    const args = ['--user', 'ada@example.com', '--description', 'reader', '--scopes', 'all', '--organizations', 'acme'];
    const made = await Program.run(['token', 'create', ...args, '--json'], envOf('first'));
    reader = (JSON.parse(made.stdout) as { token: string }).token;
    await ask(first, '/v2/organizations/acme/pipelines', {
      method: 'POST',
      body: JSON.stringify({
        name: 'deploy',
        repository: 'https://git.example.com/deploy.git',
        configuration: 'steps: [{command: "true"}]',
      }),
    });
  }, 240_000);
  afterAll(async () => {
    await Promise.all([first, second].map((replica) => replica?.kill()));
    await Promise.all([standby, primary].map((server) => server?.remove()));
    directory.remove();
  });

  async function ask<T>(replica: Replica, path: string, init: RequestInit = {}, token = userToken): Promise<T> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const reply = await fetch(replica.url + path, { ...init, headers: { ...headers, ...init.headers } });
    if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`);
    return (await reply.json()) as T;
  }

  const create = (replica: Replica, message: string) =>
    ask(replica, builds, { method: 'POST', body: JSON.stringify({ commit: 'HEAD', branch: 'main', message }) });
  const latest = async (replica: Replica, token: string, headers: Record<string, string> = {}) =>
    (await ask<{ message: string }[]>(replica, builds, { headers }, token))[0]?.message;
  const query = `{ organization(slug: "acme") { pipelines(first: 1) { edges { node {
    builds(first: 1) { edges { node { message } } } } } } } }`;
  const latestByGraphql = async (replica: Replica, token: string) => {
    const { data } = await ask<{
      data: { organization: { pipelines: Edges<{ builds: Edges<{ message: string }> }> } };
    }>(replica, '/graphql', { method: 'POST', body: JSON.stringify({ query }) }, token);
    return data.organization.pipelines.edges[0]?.node.builds.edges[0]?.node.message;
  };
  interface Edges<T> {
    edges: { node: T }[];
  }

  const readiness = async (replica: Replica) => {
    const reply = await fetch(`${replica.url}/readyz`);
    return { ...((await reply.json()) as { read_replica: string; message: string }), status: reply.status };
  };
  const uses = (replica: Replica, state: string) =>
    vi.waitFor(
      async () => expect(await readiness(replica)).toMatchObject({ status: 200, read_replica: state }),
      patience,
    );
  const metric = async (replica: Replica, name: string) => {
    const text = await (await fetch(`${replica.url}/metrics`)).text();
    return Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.split(' ')[1],
    );
  };
  const onReplica = 'slipway_read_replica_reads_total{server="replica"}';
  const pause = () => standby.query('select pg_wal_replay_pause()');
  const resume = () => standby.query('select pg_wal_replay_resume()');
  /** The standby has all that was committed before. */
  const caughtUp = async () => {
    const [{ position } = { position: '' }] = await primary.query('select pg_current_wal_lsn()::text as position');
    await vi.waitFor(async () => {
      const rows = await standby.query(`select pg_last_wal_replay_lsn() >= '${String(position)}' as reached`);
      expect(rows).toEqual([{ reached: true }]);
    }, patience);
  };

  /**
   * What several readers see right after a change that the standby does not have; again where the machine took so long
   * that the standby was left out.
   */
  async function afterChange<T>(message: string, look: () => Promise<T>): Promise<T & { last: string }> {
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await resume();
      await caughtUp();
      await uses(first, 'ok');
      await uses(second, 'ok');
      await pause();
      const last = `${message} ${attempt}`;
      await create(first, last);
      const seen = { ...(await look()), last };
      const states = await Promise.all([readiness(first), readiness(second)]);
      if (states.every((state) => state.read_replica === 'ok')) return seen;
    }
    throw new Error('the machine is too slow: the standby was never used for long enough');
  }

  test('are as of a moment ago for a token that changes nothing, and as of now for one that does, at each process', async () => {
    await create(first, 'before');
    const before = await metric(second, onReplica);
    const seen = await afterChange('change', async () => ({
      reader: [await latest(first, reader), await latest(second, reader)],
      readerByGraphql: [await latestByGraphql(first, reader), await latestByGraphql(second, reader)],
      current: await latest(second, reader, { 'cache-control': 'no-cache' }),
      writer: [await latest(first, userToken), await latest(second, userToken)],
      writerByGraphql: [await latestByGraphql(first, userToken), await latestByGraphql(second, userToken)],
    }));
    const { last } = seen;
    expect(seen.current).toBe(last);
    expect(seen.writer).toEqual([last, last]);
    expect(seen.writerByGraphql).toEqual([last, last]);
    for (const message of [...seen.reader, ...seen.readerByGraphql]) expect(message).not.toBe(last);
    expect(await metric(second, onReplica)).toBeGreaterThan(before);
    await resume();
    await vi.waitFor(async () => expect(await latest(second, reader)).toBe(last), patience);
    await vi.waitFor(async () => expect(await latestByGraphql(second, reader)).toBe(last), patience);
  }, 120_000);

  test('that are kept in memory change when the standby does, and are refused when the token is revoked', async () => {
    const poll = async () => {
      for (let time = 0; time < 5; time += 1) await latest(second, reader);
      return latest(second, reader);
    };
    await poll();
    const hits = 'slipway_kept_replies_total{outcome="hits"}';
    const before = await metric(second, hits);
    const old = await poll();
    expect(await metric(second, hits)).toBeGreaterThan(before);
    expect(old).not.toMatch(/^kept/);
    const { last, shown } = await afterChange('kept', async () => ({ shown: await poll() }));
    expect(shown).not.toBe(last);
    await resume();
    await vi.waitFor(async () => expect(await poll()).toBe(last), patience);
    await pause();
    await primary.query(`update api_tokens set revoked_at = now() where description = 'reader'`, 'slipway');
    await expect(poll()).rejects.toThrow('answered 401');
    await primary.query(`update api_tokens set revoked_at = null where description = 'reader'`, 'slipway');
    await resume();
  }, 120_000);

  test('are read on the primary while the standby is too far behind or away, which readiness and metrics say', async () => {
    await caughtUp();
    await uses(second, 'ok');
    await pause();
    await create(first, 'while it stands still');
    await uses(second, 'late');
    expect((await readiness(second)).message).toContain('the read replica is too far behind');
    expect(await latest(second, reader)).toBe('while it stands still');
    expect(await latestByGraphql(second, reader)).toBe('while it stands still');
    expect(await metric(second, 'slipway_read_replica_lag_seconds')).toBeGreaterThan(5);
    expect(await metric(second, 'slipway_read_replica_used')).toBe(0);
    await resume();
    await uses(second, 'ok');
    expect(await metric(second, 'slipway_read_replica_used')).toBe(1);

    await standby.kill();
    for (let time = 0; time < 5; time += 1) {
      await create(first, `without it ${time}`);
      await latest(second, reader);
    }
    await uses(second, 'unavailable');
    expect(await latest(second, reader)).toBe('without it 4');
    await standby.restart();
    await uses(second, 'ok');
    await vi.waitFor(async () => expect(await latest(second, reader)).toBe('without it 4'), patience);
    expect([...first.errors(), ...second.errors()]).toEqual([]);
  }, 120_000);

  test('need a standby of this database: others are refused at the start, and one that is away is a warning', async () => {
    const refusalWith = async (more: Record<string, string>) => {
      const { code, stderr } = await Program.run(['serve'], { ...envOf('refused', more), PORT: '0' });
      return [code, stderr.trim()];
    };
    const port = (server: PostgresServer) => new URL(server.url).port;
    expect(await refusalWith({ DATABASE_READ_URL: primary.url })).toEqual([
      1,
      `error: DATABASE_READ_URL: PostgreSQL at 127.0.0.1:${port(primary)} is no standby: name a streaming replica of the server of DATABASE_URL`,
    ]);
    const other = standby.url.replace(/slipway$/, 'postgres');
    expect(await refusalWith({ DATABASE_READ_URL: other })).toEqual([
      1,
      `error: DATABASE_READ_URL: PostgreSQL at 127.0.0.1:${port(standby)} is a standby of another database than that of DATABASE_URL`,
    ]);
    expect(await refusalWith({ DATABASE_URL: '' })).toEqual([
      1,
      expect.stringContaining(
        'DATABASE_READ_URL: needs PostgreSQL (DATABASE_URL); the embedded database has no replicas',
      ),
    ]);
    const server = Program.start(['serve'], {
      ...envOf('away', { DATABASE_READ_URL: 'postgres://slipway@127.0.0.1:1/slipway' }),
      PORT: '0',
    });
    await server.until(/"msg":"listening"/);
    expect(server.stdout).toContain(
      'DATABASE_READ_URL: nothing listens at 127.0.0.1:1 (ECONNREFUSED): start PostgreSQL there, or correct host and port. Lists are read on DATABASE_URL until it can be read',
    );
    expect((await server.stop()).code).toBe(0);
  }, 120_000);

  test('are not read on a standby that became a server of its own', async () => {
    await uses(second, 'ok');
    await standby.query('select pg_promote()');
    await uses(second, 'unavailable');
    await create(first, 'after that');
    expect(await latest(second, reader)).toBe('after that');
  }, 60_000);
});
