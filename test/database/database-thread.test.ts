import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sql } from 'kysely';
import { EmbeddedDriver } from '../../src/database/embedded/driver.js';
import { DatabaseThread } from '../../src/database/embedded/database-thread.js';
import { openDatabase, type OpenDatabase } from '../../src/database/open.js';
import { inTransaction } from '../../src/database/transaction.js';
import { compiledModules } from '../support/compiled-modules.js';
import { migrateDataDirectory, onPostgres, temporaryDirectory } from '../support/database.js';

/** The thread of the present sources, which an error ends when it is given a statement that says so. */
function mortalThread(): URL {
  const entry = pathToFileURL(join(compiledModules(), 'database/embedded/thread-entry.js'));
  const code = `import { PGlite } from ${JSON.stringify(import.meta.resolve('@electric-sql/pglite'))};
    const { execProtocolRawStream } = PGlite.prototype;
    PGlite.prototype.execProtocolRawStream = function (message, options) {
      if (Buffer.from(message).includes('the thread ends here')) throw new Error('the thread ended');
      return execProtocolRawStream.call(this, message, options);
    };
    await import(${JSON.stringify(entry.href)});`;
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`);
}

const death = sql.raw('select 1 /* the thread ends here */');

(onPostgres ? describe.skip : describe)('the embedded database in a thread of its own', () => {
  const directory = temporaryDirectory();
  const threadEntry = mortalThread();
  const crashes: Error[] = [];
  let database: OpenDatabase;
  const open = () =>
    openDatabase({ dataDir: directory.path, threadEntry, onCrash: (error) => void crashes.push(error) });
  const add = (name: string) =>
    sql`insert into users (id, email, name, created_at) values (gen_random_uuid(), ${`${name}@example.com`}, ${name}, now())`;
  const names = async () => {
    const { rows } = await sql<{ name: string }>`select name from users order by name`.execute(database.db);
    return rows.map(({ name }) => name);
  };

  beforeAll(async () => {
    await migrateDataDirectory(directory.path);
    database = await open();
  });
  beforeEach(async () => {
    await sql`delete from users`.execute(database.db);
    crashes.splice(0);
  });
  afterAll(async () => {
    await database.close();
    directory.remove();
  });

  test('statements are computed while this thread goes on', async () => {
    const order: string[] = [];
    const statement = sql`select count(*) from generate_series(1, 2000000)`.execute(database.db);
    const answered = statement.then(() => order.push('answer'));
    await new Promise((resolve) => setTimeout(resolve, 1));
    order.push('timer');
    await answered;
    expect(order).toEqual(['timer', 'answer']);
  });

  test('statements and replies of megabytes arrive whole', async () => {
    const { rows } = await sql<{ text: string }>`select repeat('ü', 3000000) as text`.execute(database.db);
    expect(rows[0]?.text).toBe('ü'.repeat(3_000_000));
    const sent = await sql<{ length: number }>`select length(${'ü'.repeat(1_000_000)}) as length`.execute(database.db);
    expect(sent.rows).toEqual([{ length: 1_000_000 }]);
  });

  test('what was committed is there after a close and a new start', async () => {
    await inTransaction(database.db, 'test', (trx) => add('Ada').execute(trx));
    await database.close();
    database = await open();
    expect(await names()).toEqual(['Ada']);
    expect(crashes).toEqual([]);
  });

  test('when the thread ends, its statement fails as unavailable and the next one finds what was committed', async () => {
    await add('Ada').execute(database.db);
    await expect(death.execute(database.db)).rejects.toMatchObject({
      name: 'DatabaseUnavailableError',
      reason: 'lost',
      cause: { message: 'the thread ended' },
    });
    expect(crashes).toMatchObject([{ message: 'the thread ended' }]);
    expect(await names()).toEqual(['Ada']);
  });

  test('a transaction whose thread ends is undone whole and runs again', async () => {
    let runs = 0;
    await inTransaction(database.db, 'test', async (trx) => {
      runs += 1;
      await add(`run ${runs}`).execute(trx);
      if (runs === 1) await death.execute(trx).catch(() => undefined);
      // After the crash this must not run by itself.
      await add(`rest of run ${runs}`).execute(trx);
    });
    expect(runs).toBe(2);
    expect(await names()).toEqual(['rest of run 2', 'run 2']);
  });

  test('a COMMIT that the thread does not answer is unconfirmed, and is not repeated', async () => {
    let runs = 0;
    const committed = inTransaction(database.db, 'test', async (trx) => {
      runs += 1;
      await add('Ada').execute(trx);
      void death.execute(trx).catch(() => undefined);
    });
    await expect(committed).rejects.toMatchObject({ name: 'DatabaseUnavailableError', reason: 'unconfirmed' });
    expect(runs).toBe(1);
    expect(await names()).toEqual([]);
  });

  test('everybody who waits is served by the next thread, or told', async () => {
    const lost = death.execute(database.db);
    const others = Array.from({ length: 20 }, (_, index) => add(`waits ${index + 10}`).execute(database.db));
    await expect(lost).rejects.toMatchObject({ reason: 'lost' });
    await Promise.all(others);
    expect(await names()).toHaveLength(20);
  });

  test('a statement that takes too long ends with its thread, and the next one is served by another', async () => {
    const own = temporaryDirectory();
    await migrateDataDirectory(own.path);
    const thread = new DatabaseThread({ directory: join(own.path, 'database'), entry: threadEntry });
    await thread.open();
    const hurried = await new EmbeddedDriver(thread, 200).acquireConnection();
    const patient = await new EmbeddedDriver(thread).acquireConnection();
    const endless = sql.raw('select count(*) from generate_series(1, 1e12)').compile(database.db);
    await expect(hurried.executeQuery(endless)).rejects.toMatchObject({ reason: 'overloaded' });
    const { rows } = await patient.executeQuery(sql.raw('select 1 as n').compile(database.db));
    expect(rows).toEqual([{ n: 1 }]);
    await thread.close();
    await expect(patient.executeQuery(endless)).rejects.toMatchObject({ reason: 'unreachable' });
    own.remove();
  });
});
