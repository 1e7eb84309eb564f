import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { describeOnPostgres, temporaryDirectory } from '../support/database.js';
import { Program } from '../support/program.js';

const file = `users:
  - {email: ada@example.com, name: Ada, password: correct horse}
organizations:
  - slug: acme
    name: Acme
    default_cluster: Default
    members: [{user: ada@example.com, role: admin}]
    clusters: [{name: Default, queues: [{key: default}], default_queue: default, agent_tokens: [{description: agents, token: agent-token-of-acme}]}]
`;

describeOnPostgres('replicas started at once on one empty database', () => {
  const server = process.env['TEST_DATABASE_URL'] ?? '';
  const name = `slipway_replicas_${process.pid}_${Date.now()}`;
  const directory = temporaryDirectory();
  const url = () => Object.assign(new URL(server), { pathname: `/${name}` }).toString();
  const env = () => ({
    DATABASE_URL: url(),
    SECRET_KEY: 'a-secret-key-of-the-tests-that-is-long-enough',
    PORT: '0',
    DATA_DIR: directory.path,
  });

  async function query<T extends pg.QueryResultRow>(database: string, text: string): Promise<T[]> {
    const client = new pg.Client({ connectionString: database });
    await client.connect();
    try {
      return (await client.query<T>(text)).rows;
    } finally {
      await client.end();
    }
  }

  const dropDatabase = () => query(server, `drop database if exists ${name} with (force)`);
  afterAll(async () => {
    await dropDatabase();
    directory.remove();
  });

  test('of replicas started at once, one migrates and provisions while the others wait; all serve and stop', async () => {
    await dropDatabase();
    await query(server, `create database ${name}`);
    const path = join(directory.path, 'slipway.yaml');
    writeFileSync(path, file);
    const programs = [1, 2, 3].map(() => Program.start(['serve', '--apply', path], env()));
    try {
      await Promise.all(
        programs.map(async (program) => {
          const [, one = ''] = await program.until(/"url":"(http:[^"]+)"/, 60_000);
          await program.healthy(one);
        }),
      );
      const migrated = programs.map((program) => Number(/"migrated":(\d+)/.exec(program.stdout)?.[1]));
      expect(migrated.filter((count) => count > 0)).toHaveLength(1);
      const changes = programs.map((program) => Number(/"changes":(\d+)/.exec(program.stdout)?.[1]));
      expect(changes.sort()).toEqual([0, 0, 6]);
      expect(await query(url(), 'select slug from organizations')).toEqual([{ slug: 'acme' }]);
    } finally {
      const ends = await Promise.all(programs.map((program) => program.stop()));
      expect(ends.map(({ code }) => code)).toEqual([0, 0, 0]);
    }
  }, 90_000);

  test('slipway commands run beside a server on the same database', async () => {
    const program = Program.start(['serve'], env());
    try {
      await program.until(/"url"/, 60_000);
      const args = ['--user', 'ada@example.com', '--description', 'x', '--scopes', 'all', '--organizations', 'acme'];
      expect(await Program.run(['token', 'create', ...args], env())).toMatchObject({ code: 0 });
    } finally {
      await program.stop();
    }
  }, 90_000);

  test('slipway serve fails with the reason when the database is unreachable', async () => {
    const { code, stderr } = await Program.run(['serve'], {
      ...env(),
      DATABASE_URL: 'postgres://slipway@127.0.0.1:1/none',
    });
    expect([code, stderr]).toEqual([1, expect.stringContaining('ECONNREFUSED')]);
  }, 60_000);
});
