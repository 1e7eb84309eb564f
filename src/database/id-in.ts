import { type Expression, sql, type SqlBool } from 'kysely';

/**
 * The condition that a column of ids holds one of these: one parameter, so that the text of the statement stays the
 * same.
 */
export function idIn(column: string, ids: readonly string[]): Expression<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} = any(${sql.val(ids)}::uuid[])`;
}
