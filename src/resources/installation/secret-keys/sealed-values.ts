import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../../entities/database.js';
import type { SealedColumn } from './sealed-columns.js';

/** A sealed value with its row's primary key. */
export interface SealedValue {
  key: readonly string[];
  value: string;
  boundTo: string;
}

const list = (parts: readonly RawBuilder<unknown>[]) => sql.join(parts, sql`, `);
const columnsOf = (at: SealedColumn) => list(at.key.map(([column]) => sql.ref(column)));
const valueOf = ({ column, field }: SealedColumn) =>
  field === undefined ? sql.ref(column) : sql`${sql.ref(column)} ->> ${sql.lit(field)}`;
const valuesOf = (at: SealedColumn, key: readonly string[]) =>
  list(at.key.map(([, type], index) => sql`${key[index]}::${sql.raw(type)}`));

/**
 * Up to `limit` values that do not begin with `prefix`, in the order of their rows after `after`; locked with `lock`.
 */
export async function sealedValues(
  db: Db,
  at: SealedColumn,
  options: { notBeginningWith: string; after: readonly string[] | null; limit: number; lock: boolean },
): Promise<SealedValue[]> {
  const { notBeginningWith: prefix, after, limit, lock } = options;
  const { rows } = await sql<{ value: string; bound: string | null; [key: string]: string | null }>`
    select ${list(at.key.map(([column], index) => sql`${sql.ref(column)}::text as ${sql.ref(`key${index}`)}`))}, ${valueOf(at)} as value, ${at.boundTo === undefined ? sql`null` : sql`${sql.ref(at.boundTo)}::text`} as bound
    from ${sql.table(at.table)}
    where ${valueOf(at)} is not null and not starts_with(${valueOf(at)}, ${prefix}::text)
    ${after ? sql`and (${columnsOf(at)}) > (${valuesOf(at, after)})` : sql``}
    order by ${columnsOf(at)} limit ${limit} ${lock ? sql`for update` : sql``}`.execute(db);
  return rows.map((row) => ({
    key: at.key.map((_column, index) => String(row[`key${index}`])),
    value: row.value,
    boundTo: row.bound ?? '',
  }));
}

/** Replaces one sealed value. */
export async function replaceValue(trx: Db, at: SealedColumn, key: readonly string[], value: string): Promise<void> {
  const stored =
    at.field === undefined ? sql`${value}::text` : sql`jsonb_build_object(${sql.lit(at.field)}::text, ${value}::text)`;
  await sql`update ${sql.table(at.table)} set ${sql.ref(at.column)} = ${stored} where (${columnsOf(at)}) = (${valuesOf(at, key)})`.execute(
    trx,
  );
}
