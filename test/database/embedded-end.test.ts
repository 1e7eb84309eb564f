import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { CompiledQuery } from 'kysely';
import { EmbeddedDriver } from '../../src/database/embedded/driver.js';
import { EmbeddedDatabase, EmbeddedDatabaseEnded } from '../../src/database/embedded/embedded-database.js';
import { openPglite } from '../../src/database/embedded/open-pglite.js';
import { DatabaseUnavailableError } from '../../src/database/faults.js';
import { migrateDataDirectory, temporaryDirectory } from '../support/database.js';

describe('an embedded database in a directory', () => {
  const directory = temporaryDirectory();
  const ends: EmbeddedDatabaseEnded[] = [];
  let database: EmbeddedDatabase;
  let run: (text: string) => Promise<unknown[]>;
  beforeAll(async () => {
    await migrateDataDirectory(directory.path);
    database = new EmbeddedDatabase(await openPglite(join(directory.path, 'database')), (end) => void ends.push(end));
    const connection = await new EmbeddedDriver(database).acquireConnection();
    run = async (text) => (await connection.executeQuery(CompiledQuery.raw(text))).rows;
  });
  afterAll(() => directory.remove());

  test('a database that has answered thousands of errors answers as before', async () => {
    for (let time = 0; time < 2_500; time += 1) await expect(run('select 1 / 0')).rejects.toThrow('division by zero');
    expect(await run('select 1 as n')).toEqual([{ n: 1 }]);
    for (let time = 0; time < 500; time += 1) await expect(run('selec 1')).rejects.toThrow('syntax error');
    expect(await run('select 1 as n')).toEqual([{ n: 1 }]);
  });

  // Last: the database has ended after that.
  test('a database that panics says why and never again blocks the thread that it runs in', async () => {
    rmSync(join(directory.path, 'database', 'pg_wal'), { recursive: true });
    await run('select pg_switch_wal()');
    const failure = await run(`insert into users (id, email, name, created_at) values
      (gen_random_uuid(), 'ada@example.com', 'Ada', now())`).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(DatabaseUnavailableError);
    expect((failure as DatabaseUnavailableError).cause).toBeInstanceOf(EmbeddedDatabaseEnded);
    const [end] = ends;
    expect(end?.message).toMatch(/^the embedded database ended: could not create file "pg_wal\/.*": No such file/);
    await expect(run('select 1')).rejects.toMatchObject({ reason: 'ended', cause: end });
    await database.close();
    expect(ends).toHaveLength(1);
  });
});
