/**
 * Makes an embedded database without a row, with the schema of this build: a first start unpacks it in a second, where
 * making a cluster and running every migration takes eight.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { PGlite } from '@electric-sql/pglite';

/**
 * @param compiled folder of the compiled program, such as `dist`
 * @param target folder of the program that is to have it
 */
export async function prepareDatabase(compiled, target) {
  const { openDatabase } = await import(join(compiled, 'database', 'open.js'));
  const { migrate } = await import(join(compiled, 'database', 'migrate.js'));
  const pglite = await PGlite.create({ dataDir: 'memory://' });
  const database = await openDatabase({ dataDir: '', pglite });
  await migrate(database);
  await database.close();
  // So that the first start has no log to replay.
  await pglite.exec('checkpoint');
  const dump = await pglite.dumpDataDir('none');
  await pglite.close();
  writeFileSync(join(target, 'prepared-database.tar.gz'), await promisify(gzip)(await dump.arrayBuffer()));
}
