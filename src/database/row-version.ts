import { type RawBuilder, sql } from 'kysely';

/**
 * The version of a row, as PostgreSQL keeps it for every table: the transaction that wrote the row, and its place in
 * the table. Every write of any column changes it, so no writer can forget to; locks do not. The place tells two
 * writes apart when transaction numbers have wrapped round, after four thousand million, and are the same again.
 *
 * @param alias name of the table in the statement
 */
export function versionExpression(alias: string): RawBuilder<string> {
  return sql<string>`(${sql.ref(`${alias}.xmin`)}::text || ${sql.ref(`${alias}.ctid`)}::text)`;
}

/** Name of the column that {@link withVersion} adds to a statement, in the result of the driver. */
export const versionColumn = 'row_version';

interface Selecting {
  select(selection: unknown): unknown;
}

/** Has a query read the version of each row with the row; {@link versionOf} gives it. The rows look the same. */
export function withVersion<Query extends object>(query: Query, alias: string): Query {
  return (query as Selecting).select(versionExpression(alias).as('rowVersion')) as Query;
}

/** The version of the rows of an alias that a statement returns as this member of its rows (`rowAs`). */
export function versionAs<M extends string>(alias: string, member: M) {
  return versionExpression(alias).as(`${member}.rowVersion`);
}

// Beside the rows and not in them: a changed copy of a row has no version.
const versions = new WeakMap<object, string>();

export function setVersion(row: object, version: string): void {
  versions.set(row, version);
}

/** The version with which a row was read, or a value made of rows; undefined if it was read without one. */
export function versionOf(row: object): string | undefined {
  return versions.get(row);
}
