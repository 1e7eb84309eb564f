import { type RawBuilder, type SelectQueryBuilder, sql, type SqlBool } from 'kysely';

/** The place of a row in its table, for {@link isChosen}. */
export const place = (table: string): RawBuilder<string> => sql<string>`${sql.ref(`${table}.ctid`)}`;

/**
 * Whether a row is one of the few that a query with a limit chooses, by {@link place}. The query is run once. In a list
 * (`id in (select … limit …)`) it may be run again for each row of the table, where the planner expects few: it takes
 * the square of the time then, and the limit bounds nothing.
 */
export const isChosen = (query: SelectQueryBuilder<never, never, { place: string }>): RawBuilder<SqlBool> =>
  sql<SqlBool>`ctid = any(array(${query}))`;
