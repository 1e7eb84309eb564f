import { type ConnectionProvider, type Driver, Kysely } from 'kysely';
import type { Database, Db } from '../entities/database.js';

/** The same database over another source of connections; it cannot begin a transaction. */
export function handleOver(db: Db, connections: ConnectionProvider): Db {
  return new Kysely<Database>({
    config: noDialect,
    driver: readsOnly,
    dialect: noDialect.dialect,
    executor: db.getExecutor().withConnectionProvider(connections),
  });
}

const refuse = (): never => {
  throw new Error('the handle of a request is for reads: transactions begin on the handle of the process');
};

const readsOnly: Driver = {
  init: async () => undefined,
  destroy: async () => undefined,
  acquireConnection: refuse,
  beginTransaction: refuse,
  commitTransaction: refuse,
  rollbackTransaction: refuse,
  releaseConnection: refuse,
};

const noDialect = {
  dialect: { createAdapter: refuse, createDriver: refuse, createIntrospector: refuse, createQueryCompiler: refuse },
};
