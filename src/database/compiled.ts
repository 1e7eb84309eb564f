import type { CompiledQuery } from 'kysely';
import type { Db } from '../entities/database.js';
import type { NamedQuery } from './postgres-driver.js';
import { refuseNestedUse } from './transaction.js';

/** Stands for a value while a query is compiled. */
class Placeholder {
  constructor(readonly key: string) {}
}

/** The placeholder of a parameter; it has the parameter's type, so that it fits where the value does. */
export type Parameters<P> = { readonly [K in keyof P]-?: P[K] };

/**
 * A query of a hot path, compiled at its first use and then sent as it is: building and compiling one costs several
 * times what sending it does. `build` returns a query or a piece of `sql`. `name` must be unique; PostgreSQL keeps the
 * plan under it. `build` may use each parameter wherever Kysely takes a value, but not for a json column, and not to
 * decide what the query is.
 */
export function compiled<P extends object, R>(
  name: string,
  build: (db: Db, parameters: Parameters<P>) => { compile(db: Db): CompiledQuery<R> },
): (db: Db, parameters: P) => Promise<R[]> {
  let query: CompiledQuery | null = null;
  return async (db, parameters) => {
    refuseNestedUse(db);
    query ??= build(db, placeholders<P>()).compile(db);
    const values = query.parameters.map((value) =>
      value instanceof Placeholder ? (parameters as Record<string, unknown>)[value.key] : value,
    );
    const named: NamedQuery = { ...query, parameters: values, statementName: name };
    return (await db.executeQuery<R>(named)).rows;
  };
}

function placeholders<P>(): Parameters<P> {
  return new Proxy({}, { get: (_target, key) => new Placeholder(String(key)) }) as Parameters<P>;
}
