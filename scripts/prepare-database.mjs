/**
 * Makes an embedded database without a row, with the schema of this build: a first start unpacks it, where
 * making a cluster and running every migration took half of its processor time.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { PGlite } from '@electric-sql/pglite';

/**
 * @param compiled folder of the compiled program, such as `dist`
 * @param target folder of the program that is to have it
 */
export async function prepareDatabase(compiled, target) {
  const { openDatabase } = await import(pathToFileURL(join(compiled, 'database', 'open.js')).href);
  const { migrate } = await import(pathToFileURL(join(compiled, 'database', 'migrate.js')).href);
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
