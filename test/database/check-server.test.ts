import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { checkServer } from '../../src/database/check-server.js';
import { readConfig } from '../../src/server/config.js';
import { openInstallation } from '../../src/server/installation.js';
import type { Logger } from '../../src/services/services.js';
import { DatabaseStartError, startErrorOf } from '../../src/database/start-error.js';
import { describeOnPostgres } from '../support/database.js';
import { type Answer, FakePostgres } from '../support/fake-postgres.js';

const silent: Logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** The message of the refusal; null if the server is accepted. Every refusal is one line without the password. */
async function refusalOf(url: string): Promise<string | null> {
  try {
    await checkServer(url);
    return null;
  } catch (error) {
    if (!(error instanceof DatabaseStartError)) throw error;
    expect(error.message).toMatch(/^DATABASE_URL: [^\n]+$/);
    expect(error.message).not.toContain('hunter2');
    return error.message;
  }
}

const facts = { version: '16.2', version_number: 160_002, standby: false, encoding: 'UTF8' };
const server =
  (over: Partial<typeof facts> = {}, pid: (connection: number, statements: number) => number = () => 4242): Answer =>
  (connection, statement) => {
    const statements = (asked.get(connection) ?? 0) + 1;
    asked.set(connection, statements);
    const session = { pid: pid(connection, statements) };
    return statement.includes('server_version') ? { ...facts, ...session, ...over } : session;
  };
let asked = new Map<number, number>();

async function refusalOfFake(answer: Answer): Promise<[string | null, string]> {
  asked = new Map();
  const fake = await FakePostgres.start(answer);
  try {
    return [await refusalOf(fake.url), fake.host];
  } finally {
    fake.stop();
  }
}

describe('the check of the database server at start', () => {
  test('a server that nothing is wrong with is accepted', async () => {
    expect((await refusalOfFake(server()))[0]).toBeNull();
  });

  test.each([
    ['a release before 14', { version: '13.14', version_number: 130_014 }, 'is PostgreSQL 13.14, and Slipway needs 14'],
    ['a standby', { standby: true }, 'is a standby, which only reads: name the primary'],
    ['a database in another encoding', { encoding: 'LATIN1' }, 'has the encoding LATIN1'],
  ])('%s is refused in one line that names the host', async (_what, over, reason) => {
    const [message, host] = await refusalOfFake(server(over));
    expect(message).toContain(reason);
    expect(message).toContain(host);
  });

  test.each<[string, (connection: number, statements: number) => number]>([
    ['gives every client the session that was used last', () => 7],
    [
      'gives out its sessions in turn',
      (() =>
        (
          (turn = 0) =>
          () =>
            7 + (turn++ % 2)
        )())(),
    ],
    ['gives a client another session later', (connection, statements) => (statements > 4 ? 9 : connection)],
  ])('a pooler that %s is refused, naming the setting to change', async (_what, pid) => {
    const [message, host] = await refusalOfFake(server({}, pid));
    expect(message).toContain(`the pooler at ${host} gives the sessions of PostgreSQL to another client`);
    expect(message).toContain('set pool_mode = session');
  });

  test('a pooler that keeps sessions is accepted', async () => {
    expect((await refusalOfFake(server({}, (connection) => 100 + connection)))[0]).toBeNull();
  });

  test('an address where nothing listens is named', async () => {
    const message = await refusalOf('postgres://ada:hunter2@127.0.0.1:1/slipway');
    expect(message).toContain('nothing listens at 127.0.0.1:1 (ECONNREFUSED)');
  });

  test('a password that is not encoded as in URLs is explained, and not shown', async () => {
    const message = await refusalOf('postgres://ada:hunter2%ff@127.0.0.1:1/slipway');
    expect(message).toBe('DATABASE_URL: cannot be read: its user or password is not percent-encoded UTF-8');
  });

  test('a socket that is not there is named', async () => {
    expect(await refusalOf('postgres://ada@/slipway?host=/nowhere')).toContain(
      'there is no socket in /nowhere (port 5432)',
    );
  });

  test('a host without an address is named', async () => {
    expect(await refusalOf('postgres://ada:hunter2@db.invalid/slipway')).toMatch(/db\.invalid .*(ENOTFOUND|EAI_AGAIN)/);
  });

  test('a port where something else than PostgreSQL listens is named', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    const message = await refusalOf(`postgres://ada:hunter2@127.0.0.1:${port}/slipway`);
    other.close();
    expect(message).toContain(`127.0.0.1:${port}`);
  });

  test.each([
    [new AggregateError([Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })]), 'nothing listens at db:5432'],
    [new Error('wrapped', { cause: Object.assign(new Error('x'), { code: '28P01' }) }), 'password of user "ada"'],
    [
      Object.assign(new Error('permission denied for schema public'), { code: '42501' }),
      'grant create, usage on schema',
    ],
    [new Error('timeout expired'), 'db:5432 does not answer'],
    [new Error('The server does not support SSL connections'), 'db:5432 has no TLS'],
  ])('the driver’s %s is explained in one line', (error, reason) => {
    const explained = startErrorOf(error, 'postgres://ada:hunter2@db/slipway');
    expect(explained).toBeInstanceOf(DatabaseStartError);
    expect((explained as Error).message).toContain(reason);
  });

  test('an error that no setting causes stays as it is', () => {
    const error = Object.assign(new Error('syntax error'), { code: '42601' });
    expect(startErrorOf(error, 'postgres://db/slipway')).toBe(error);
  });
});

describeOnPostgres('the check of a real PostgreSQL at start', () => {
  const base = process.env['TEST_DATABASE_URL'] ?? '';

  test('the server of the tests is accepted, and a database that it does not have is named', async () => {
    expect(await refusalOf(base)).toBeNull();
    const url = new URL(base);
    url.pathname = '/no_such_database';
    expect(await refusalOf(url.href)).toContain(`there is no database "no_such_database" at ${url.host}`);
  });

  test('a user who may not log in is named', async () => {
    const client = new pg.Client({ connectionString: base });
    await client.connect();
    await client.query('create role slipway_no_login_test nologin');
    try {
      const url = new URL(base);
      url.username = 'slipway_no_login_test';
      expect(await refusalOf(url.href)).toContain(`${url.host} does not let the user in`);
    } finally {
      await client.query('drop role slipway_no_login_test');
      await client.end();
    }
  });

  test('a user who may create nothing in schema public is told the right that is missing', async () => {
    const client = new pg.Client({ connectionString: base });
    await client.connect();
    const database = `slipway_rights_${process.pid}`;
    await client.query('create role slipway_reader_test login');
    await client.query(`create database ${database}`);
    const url = new URL(base);
    url.pathname = `/${database}`;
    const owner = new pg.Client({ connectionString: url.href });
    await owner.connect();
    await owner.query('revoke create on schema public from public').finally(() => owner.end());
    url.username = 'slipway_reader_test';
    try {
      const env = { DATABASE_URL: url.href, SECRET_KEY: 'k'.repeat(40) };
      await expect(openInstallation(readConfig(env), silent)).rejects.toThrow(
        new RegExp(
          `^DATABASE_URL: permission denied for .*, for user "slipway_reader_test" of "${database}" at ${url.host}: let it create tables`,
        ),
      );
    } finally {
      await client.query(`drop database ${database} with (force)`);
      await client.query('drop role slipway_reader_test');
      await client.end();
    }
  });
});
