import pg from 'pg';
import { checkServer } from '../../src/database/check-server.js';
import { agentToken, Replica, secretKey, userToken } from '../replicas/installation.js';
import { noPostgres, temporaryDirectory } from '../support/database.js';
import { PgBouncer, pgbouncerProgram } from '../support/pgbouncer.js';
import { builtProgram, Program } from '../support/program.js';
import { describeUnless } from '../support/skips.js';

const program = pgbouncerProgram() ?? '';
const reason = program === '' ? 'it is not installed' : noPostgres;

describeUnless(reason, 'PgBouncer', () => {
  const server = process.env['TEST_DATABASE_URL'] ?? '';
  const database = `slipway_pooled_${process.pid}`;
  const directory = temporaryDirectory();
  let poolers: PgBouncer[] = [];

  const administer = async (statement: string) => {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  /** A pooler in front of the database of this file. */
  const pool = async (mode: Parameters<typeof PgBouncer.start>[2]): Promise<string> => {
    const url = new URL(server);
    url.pathname = `/${database}`;
    const pooler = await PgBouncer.start(program, url.href, mode);
    poolers.push(pooler);
    return pooler.url;
  };

  beforeAll(async () => {
    builtProgram();
    await administer(`create database ${database}`);
  }, 180_000);
  afterEach(async () => {
    for (const pooler of poolers) await pooler.stop();
    poolers = [];
  });
  afterAll(async () => {
    await administer(`drop database ${database} with (force)`);
    directory.remove();
  });

  test.each(['transaction', 'statement'] as const)(
    'in %s mode every one of 20 checks sees that sessions are shared',
    async (mode) => {
      const url = await pool(mode);
      for (let time = 0; time < 20; time += 1)
        await expect(checkServer(url)).rejects.toThrow('set pool_mode = session for this database');
    },
  );

  test('in transaction mode the check sees it while other clients keep the sessions busy', async () => {
    const url = await pool('transaction');
    const others = Array.from({ length: 6 }, () => new pg.Client({ connectionString: url }));
    await Promise.all(others.map((other) => other.connect()));
    let busy = true;
    const work = others.map(async (other) => {
      while (busy) await other.query('select pg_sleep(random() * 0.004)');
    });
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => checkServer(url)));
    busy = false;
    await Promise.all(work);
    await Promise.all(others.map((other) => other.end()));
    expect(outcomes.map(({ status }) => status)).toEqual(outcomes.map(() => 'rejected'));
  });

  test('slipway serve refuses a pooler in transaction mode in one line, and has changed nothing', async () => {
    const url = await pool('transaction');
    const { code, stderr, stdout } = await Program.run(['serve'], {
      DATABASE_URL: url,
      SECRET_KEY: secretKey,
      DATA_DIR: directory.path,
      PORT: '0',
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(
      `error: DATABASE_URL: the pooler at ${new URL(url).host} gives the sessions of PostgreSQL to another client after each transaction, and Slipway keeps prepared statements, settings, locks and notifications in them: set pool_mode = session for this database there, or name PostgreSQL itself\n`,
    );
  }, 60_000);

  test('in session mode, as PgBouncer is installed, a server migrates, and jobs go to agents and end', async () => {
    const replica = await Replica.start(directory.path, {
      DATABASE_URL: await pool('session'),
      DATA_DIR: directory.path,
    });
    try {
      const send = async (path: string, token: string, method: string, body: unknown = {}) => {
        const authorization = path.startsWith('/v3') ? `Token ${token}` : `Bearer ${token}`;
        const reply = await fetch(replica.url + path, {
          method,
          headers: { authorization, 'content-type': 'application/json' },
          ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
        });
        const text = await reply.text();
        expect([path, reply.ok ? 200 : reply.status, reply.ok ? '' : text]).toEqual([path, 200, '']);
        return text === '' ? {} : JSON.parse(text);
      };
      const api = '/v2/organizations/acme/pipelines';
      await send(api, userToken, 'POST', {
        name: 'deploy',
        repository: 'https://example.com/app.git',
        configuration: 'steps: [{command: "true", parallelism: 20}]',
      });
      await send(`${api}/deploy/builds`, userToken, 'POST', { commit: 'HEAD', branch: 'main', message: 'x' });
      const { access_token: token } = await send('/v3/register', agentToken, 'POST', {
        name: 'a',
        tags: ['queue=default'],
      });
      await send('/v3/connect', token, 'POST');
      for (let job = 0; job < 20; job += 1) {
        const { job: offered } = await send('/v3/ping', token, 'GET');
        const path = `/v3/jobs/${offered.id}`;
        await send(`${path}/accept`, token, 'PUT');
        await send(`${path}/start`, token, 'PUT', { started_at: new Date().toISOString() });
        await send(`${path}/finish`, token, 'PUT', { exit_status: '0', finished_at: new Date().toISOString() });
      }
      const build = await send(`${api}/deploy/builds/1`, userToken, 'GET');
      expect(build.state).toBe('passed');
    } finally {
      await replica.stop();
    }
  }, 120_000);
});
