import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { CompiledQuery, sql } from 'kysely';
import { type OpenDatabase, openDatabase } from '../../src/database/open.js';
import { PostgresDriver } from '../../src/database/postgres-driver.js';
import { inTransaction } from '../../src/database/transaction.js';
import { clonePostgres, describeOnPostgres } from '../support/database.js';

describeOnPostgres('round trips of a transaction', () => {
  let clone: OpenDatabase & { url: string };
  let proxy: Server;
  let database: OpenDatabase;
  /** What was sent to the server, a piece for each time that something arrived. */
  const sent: string[] = [];

  beforeAll(async () => {
    clone = await clonePostgres(process.env['TEST_DATABASE_URL'] ?? '');
    const url = new URL(clone.url);
    const { hostname, port } = url;
    proxy = createServer((client) => {
      const upstream = connect(Number(port), hostname).setNoDelay(true);
      client.on('data', (bytes) => {
        sent.push(bytes.toString('latin1'));
        upstream.write(bytes);
      });
      upstream.pipe(client.setNoDelay(true));
      for (const socket of [client, upstream])
        socket.on('error', () => undefined).on('close', () => upstream.destroy());
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    url.hostname = '127.0.0.1';
    url.port = String((proxy.address() as AddressInfo).port);
    database = await openDatabase({ databaseUrl: url.href, dataDir: '', poolSize: 1 });
    await sql`select 1`.execute(database.db);
  });
  afterAll(async () => {
    await database.close();
    proxy.close();
    await clone.close();
  });
  beforeEach(() => sent.splice(0));

  test('begins with its first statement', async () => {
    await inTransaction(database.db, 'test', (trx) => sql`select 'first'`.execute(trx));
    expect(sent).toEqual([expect.stringMatching(/begin; .*'first'/s), expect.stringContaining('commit')]);
  });

  test('sends nothing without a statement', async () => {
    await inTransaction(database.db, 'test', async () => undefined);
    const refused = inTransaction(database.db, 'test', () => Promise.reject(new Error('refused')));
    await expect(refused).rejects.toThrow('refused');
    expect(sent).toEqual([]);
  });

  test('is undone if its first statement fails, and the connection serves the next one', async () => {
    const failed = inTransaction(database.db, 'test', (trx) => sql`select 1 / 0`.execute(trx));
    await expect(failed).rejects.toMatchObject({ code: '22012' });
    expect(sent.at(-1)).toContain('rollback');
    const { rows } = await inTransaction(database.db, 'test', (trx) => sql`select 1 as one`.execute(trx));
    expect(rows).toEqual([{ one: 1 }]);
  });

  test('tells why it could not begin, not that its first statement came too late', async () => {
    const driver = new PostgresDriver({ url: clone.url, size: 1, timeouts: null });
    const connection = await driver.acquireConnection();
    await driver.beginTransaction(connection, { isolationLevel: 'no such level' as never });
    await expect(connection.executeQuery(CompiledQuery.raw('select 1'))).rejects.toMatchObject({ code: '42601' });
    await driver.rollbackTransaction(connection);
    await driver.releaseConnection(connection);
    await driver.destroy();
  });
});
