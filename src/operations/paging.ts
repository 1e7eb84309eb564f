import { type Expression, type SelectQueryBuilder, sql, type SqlBool } from 'kysely';
import { z } from 'zod';
import { Problem } from '../domain/problem.js';
import type { Db } from '../entities/database.js';

/** A numbered page (REST) or a stretch between cursors (GraphQL, cursor lists): every list takes either. */
export const stretchPaging = z.object({
  first: z.number().int().min(0).max(500).nullish(),
  last: z.number().int().min(0).max(500).nullish(),
  after: z.string().max(1000).nullish(),
  before: z.string().max(1000).nullish(),
});
export const paging = z.union([z.object({ page: z.number().int().min(1), perPage: z.number().int().min(1).max(100) }), stretchPaging]);
export type Paging = z.output<typeof paging>;

/** The default stretch of a list: what both surfaces answer when nothing is asked. */
export const defaultPaging: Paging = { page: 1, perPage: 30 };

/** Deeper pages are refused: use filters (rest-facts 1.3). */
export const deepestRow = 100_000;
const countedAtMost = 10_000;
/** What a list without `first` or `last` may hold (graphql-facts 1.3). */
const largestStretch = 500;

export interface Page<T> {
  rows: T[];
  hasNext: boolean;
  hasPrevious: boolean;
  /** The opaque cursor of a row of this page. */
  cursor(row: T): string;
  /** Rows in the whole list; null past 10,000 when `exact` is false, so that a page of a huge list stays cheap. */
  count(exact?: boolean): Promise<number | null>;
}

export interface Ordering<T> {
  /** Column to sort by, qualified, such as `p.name`; ties are broken by `id`. */
  column: string;
  id: string;
  direction: 'asc' | 'desc';
  /** The direction of ties, where it is not that of the column. */
  ties?: 'asc' | 'desc';
  /** The sort key of a row, as it stands in the column. */
  key: (row: T) => string | number;
  /** SQL type of the sort key, for comparing with a cursor. */
  type: 'uuid' | 'text' | 'int' | 'timestamptz';
}

/** Newest first by creation: ids are UUIDv7. `id` is the qualified column. */
export function newestFirst<T extends { id: string }>(id: string): Ordering<T> {
  return { column: id, id, direction: 'desc', key: (row) => row.id, type: 'uuid' };
}

// The query's own types do not matter here: it is narrowed, ordered and run.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type AnyQuery<T> = SelectQueryBuilder<any, any, T>;

/** Runs a list query for one page: one statement, reading one row more than is shown to know whether there is a next. */
export async function paginate<T extends { id: string }>(db: Db, query: AnyQuery<T>, ordering: Ordering<T>, asked: Paging): Promise<Page<T>> {
  const count = async (exact = false) => countRows(db, query, exact);
  const cursor = (row: T) => encodeCursor(ordering.key(row), row.id);
  if ('page' in asked) {
    const offset = (asked.page - 1) * asked.perPage;
    if (offset >= deepestRow) throw new Problem('malformed', 'Listing this deep is not supported. Please narrow your query using filters such as branch or created_from.');
    const rows = await ordered(query, ordering, false).limit(asked.perPage + 1).offset(offset).execute();
    return { rows: rows.slice(0, asked.perPage), hasNext: rows.length > asked.perPage, hasPrevious: asked.page > 1, cursor, count };
  }
  return stretch(query, ordering, asked, count);
}

type Stretch = Extract<Paging, { first?: unknown }>;

async function stretch<T extends { id: string }>(query: AnyQuery<T>, ordering: Ordering<T>, asked: Stretch, count: Page<T>['count']): Promise<Page<T>> {
  const { narrowed, size, backwards } = narrow(query, ordering, asked);
  const rows = await ordered(narrowed, ordering, backwards).limit(size + 1).execute();
  return page(rows, { size, backwards, asked, ordering, count });
}

/** The query between the cursors, how many rows are asked for, and from which end. */
function narrow<T>(query: AnyQuery<T>, ordering: Ordering<T>, asked: Stretch): { narrowed: AnyQuery<T>; size: number; backwards: boolean } {
  const backwards = asked.last != null && asked.first == null;
  let narrowed = query;
  if (asked.after) narrowed = narrowed.where(beyond(ordering, asked.after, false));
  if (asked.before) narrowed = narrowed.where(beyond(ordering, asked.before, true));
  return { narrowed, size: (backwards ? asked.last : asked.first) ?? largestStretch, backwards };
}

/** One row more than asked for was read, to know whether there is a next. */
function page<T extends { id: string }>(rows: T[], facts: { size: number; backwards: boolean; asked: Stretch; ordering: Ordering<T>; count: Page<T>['count'] }): Page<T> {
  const { size, backwards, asked, ordering, count } = facts;
  const more = rows.length > size;
  const shown = backwards ? rows.slice(0, size).reverse() : rows.slice(0, size);
  return {
    rows: shown,
    hasNext: backwards ? Boolean(asked.before) : more,
    hasPrevious: backwards ? more : Boolean(asked.after),
    cursor: (row) => encodeCursor(ordering.key(row), row.id),
    count,
  };
}

/**
 * The same stretch for many parents at once, in one statement: a lateral join runs the list query for each parent,
 * and the index that serves one list serves them all. `inner` must compare its parent column with `parent.id`.
 * Counts, where asked for, take one more statement for all parents together.
 */
export async function paginateByParent<T extends { id: string }>(
  db: Db,
  parents: readonly string[],
  inner: AnyQuery<T>,
  ordering: Ordering<T>,
  asked: Stretch,
): Promise<Map<string, Page<T>>> {
  const { narrowed, size, backwards } = narrow(inner, ordering, asked);
  const limited = ordered(narrowed, ordering, backwards).limit(size + 1);
  const result = await sql<T & { parentId: string }>`select parent.id as parent_id, x.* from unnest(${sql.val([...parents])}::uuid[]) as parent(id) cross join lateral (${limited}) as x`.execute(db);
  const byParent = new Map(parents.map((id): [string, T[]] => [id, []]));
  for (const { parentId, ...row } of result.rows) byParent.get(parentId)?.push(row as unknown as T);
  let counts: Promise<Map<string, number>> | null = null;
  const count = async (id: string) => (await (counts ??= countByParent(db, parents, inner))).get(id) ?? 0;
  return new Map([...byParent].map(([id, rows]) => [id, page(rows, { size, backwards, asked, ordering, count: () => count(id) })]));
}

async function countByParent<T>(db: Db, parents: readonly string[], inner: AnyQuery<T>): Promise<Map<string, number>> {
  const counted = inner.clearSelect().clearOrderBy().select(sql<number>`count(*)::int`.as('rows'));
  const result = await sql<{ parentId: string; rows: number }>`select parent.id as parent_id, x.rows from unnest(${sql.val([...parents])}::uuid[]) as parent(id) cross join lateral (${counted}) as x`.execute(db);
  return new Map(result.rows.map((row) => [row.parentId, row.rows]));
}

function ordered<T>(query: AnyQuery<T>, ordering: Ordering<T>, reversed: boolean): AnyQuery<T> {
  const turned = (direction: 'asc' | 'desc') => ((direction === 'asc') === reversed ? 'desc' : 'asc');
  const sorted = query.orderBy(sql.ref(ordering.column), turned(ordering.direction));
  return ordering.column === ordering.id ? sorted : sorted.orderBy(sql.ref(ordering.id), turned(ordering.ties ?? ordering.direction));
}

function beyond<T>(ordering: Ordering<T>, cursor: string, before: boolean): Expression<SqlBool> {
  const [key, id] = decodeCursor(cursor);
  const operatorOf = (direction: 'asc' | 'desc') => sql.raw((direction === 'asc') !== before ? '>' : '<');
  const operator = operatorOf(ordering.direction);
  if (ordering.column === ordering.id) return sql<SqlBool>`${sql.ref(ordering.id)} ${operator} ${id}::uuid`;
  const place = sql`${key}::text::${sql.raw(ordering.type)}`;
  if (ordering.ties && ordering.ties !== ordering.direction) {
    return sql<SqlBool>`(${sql.ref(ordering.column)} ${operator} ${place} or (${sql.ref(ordering.column)} = ${place} and ${sql.ref(ordering.id)} ${operatorOf(ordering.ties)} ${id}::uuid))`;
  }
  return sql<SqlBool>`(${sql.ref(ordering.column)}, ${sql.ref(ordering.id)}) ${operator} (${place}, ${id}::uuid)`;
}

async function countRows<T>(db: Db, query: AnyQuery<T>, exact: boolean): Promise<number | null> {
  const bounded = exact ? query : query.limit(countedAtMost + 1);
  const inner = bounded.clearSelect().clearOrderBy().select(sql<number>`1`.as('one'));
  const result = await sql<{ count: number }>`select count(*)::int as count from (${inner}) as counted`.execute(db);
  const count = result.rows[0]?.count ?? 0;
  return !exact && count > countedAtMost ? null : count;
}

function encodeCursor(key: string | number, id: string): string {
  return Buffer.from(JSON.stringify([key, id])).toString('base64url');
}

function decodeCursor(cursor: string): [string, string] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (Array.isArray(value) && value.length === 2 && typeof value[1] === 'string' && /^[0-9a-f-]{36}$/.test(value[1])) return [String(value[0]), value[1]];
  } catch {
    // Told below, like every other cursor that is none of ours.
  }
  throw new Problem('malformed', 'The cursor is not valid');
}
