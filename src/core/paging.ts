import { type Expression, type SelectQueryBuilder, sql, type SqlBool } from 'kysely';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { limits } from '../domain/limits/limits.js';
import { Problem } from '../domain/problem.js';
import type { Db } from '../entities/database.js';

/** Characters of a cursor at most. */
export const cursorLength = 1_000;

/** A range between cursors. */
export const stretchPaging = z.object({
  first: z.number().int().min(0).max(500).nullish(),
  last: z.number().int().min(0).max(500).nullish(),
  after: z.string().max(cursorLength).nullish(),
  before: z.string().max(cursorLength).nullish(),
});
/** A numbered page (REST) or a range between cursors (GraphQL, cursor lists); every list accepts both. */
export const paging = z.union([
  z.object({ page: z.number().int().min(1), perPage: z.number().int().min(1).max(100) }),
  stretchPaging,
]);
export type Paging = z.output<typeof paging>;

/** Default range of a list, used by both surfaces. */
export const defaultPaging: Paging = { page: 1, perPage: 30 };

const countedAtMost = 10_000;
/** Page size of a list without `first` or `last`. */
const largestStretch = 500;

export interface Page<T> {
  rows: T[];
  hasNext: boolean;
  hasPrevious: boolean;
  /** The opaque cursor of a row of this page. */
  cursor(row: T): string;
  /** Rows in the whole list; null above 10,000 when `exact` is false, because counting a huge list is expensive. */
  count(exact?: boolean): Promise<number | null>;
}

export interface Ordering<T> {
  /** Column to sort by, qualified, such as `p.name`; ties are broken by `id`. */
  column: string;
  id: string;
  direction: 'asc' | 'desc';
  /** No two rows of the list have the same key, so that `id` breaks no ties. */
  unique?: true;
  /** Direction of ties, if different from that of the column. */
  ties?: 'asc' | 'desc';
  /** Sort key of a row, as stored in the column. */
  key: (row: T) => string | number;
  /** SQL type of the sort key, for comparing with a cursor. */
  type: 'uuid' | 'text' | 'int' | 'float8' | 'timestamptz';
}

/** Newest first by creation: ids are UUIDv7. `id` is the qualified column. */
export function newestFirst<T extends { id: string }>(id: string): Ordering<T> {
  return { column: id, id, direction: 'desc', key: (row) => row.id, type: 'uuid' };
}

const tooDeep = () =>
  new Problem(
    'malformed',
    'Listing this deep is not supported. Please narrow your query using filters such as branch or created_from.',
  );

/** Refuses a page number beyond the deepest page of a list of builds; the message says to narrow the query. */
export function refuseDeepPage(request: Paging): void {
  if ('page' in request && (request.page - 1) * request.perPage >= limits.listDepth) throw tooDeep();
}

// The query's own types do not matter here: it is narrowed, ordered and run.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type AnyQuery<T> = SelectQueryBuilder<any, any, T>;

/**
 * Runs a list query for one page: one statement, reading one row more than is shown to know whether there is a next.
 */
export async function paginate<T extends { id: string }>(
  db: Db,
  query: AnyQuery<T>,
  ordering: Ordering<T>,
  request: Paging,
): Promise<Page<T>> {
  const count = async (exact = false) => countRows(db, query, exact);
  const cursor = (row: T) => encodeCursor(ordering.key(row), row.id, ordering);
  if ('page' in request) {
    const offset = (request.page - 1) * request.perPage;
    if (offset >= limits.listDepth) {
      // A page beyond the end of the list is empty, like any other.
      const more = await ordered(query, ordering, false).limit(1).offset(limits.listDepth).execute();
      if (more.length === 0) return { rows: [], hasNext: false, hasPrevious: true, cursor, count };
      throw tooDeep();
    }
    const rows = await ordered(query, ordering, false)
      .limit(request.perPage + 1)
      .offset(offset)
      .execute();
    return {
      rows: rows.slice(0, request.perPage),
      hasNext: rows.length > request.perPage,
      hasPrevious: request.page > 1,
      cursor,
      count,
    };
  }
  return stretch(query, ordering, request, count);
}

type PageRange = Extract<Paging, { first?: unknown }>;

async function stretch<T extends { id: string }>(
  query: AnyQuery<T>,
  ordering: Ordering<T>,
  request: PageRange,
  count: Page<T>['count'],
): Promise<Page<T>> {
  const { narrowed, size, backwards } = narrow(query, ordering, request);
  const rows = await ordered(narrowed, ordering, backwards)
    .limit(size + 1)
    .execute();
  return page(rows, { size, backwards, request, ordering, count });
}

/** Applies the cursors to the query; returns it with the page size and the end it starts from. */
function narrow<T>(
  query: AnyQuery<T>,
  ordering: Ordering<T>,
  request: PageRange,
): { narrowed: AnyQuery<T>; size: number; backwards: boolean } {
  const backwards = request.last != null && request.first == null;
  let narrowed = query;
  if (request.after) narrowed = narrowed.where(beyond(ordering, request.after, false));
  if (request.before) narrowed = narrowed.where(beyond(ordering, request.before, true));
  return { narrowed, size: (backwards ? request.last : request.first) ?? largestStretch, backwards };
}

/** Makes a page of the rows; one row beyond the page size was read to know whether there is a next page. */
function page<T extends { id: string }>(
  rows: T[],
  facts: { size: number; backwards: boolean; request: PageRange; ordering: Ordering<T>; count: Page<T>['count'] },
): Page<T> {
  const { size, backwards, request, ordering, count } = facts;
  const more = rows.length > size;
  const shown = backwards ? rows.slice(0, size).reverse() : rows.slice(0, size);
  return {
    rows: shown,
    hasNext: backwards ? Boolean(request.before) : more,
    hasPrevious: backwards ? more : Boolean(request.after),
    cursor: (row) => encodeCursor(ordering.key(row), row.id, ordering),
    count,
  };
}

/** Rows read in one statement: reading many thousands at once would hold up every other request. */
const rowsTogether = 1_000;

/** Parents of lists: their ids, or ids with a query of those of them that have a list, as `id`. */
export type Parents =
  readonly string[] | { ids: readonly string[]; among: (ids: readonly string[]) => Expression<unknown> };

/**
 * Runs a list query for many parents in one statement, or one for every thousand rows: a lateral join runs it for each
 * parent, so the index of a single list serves them all. `inner` must compare its parent column with `parent.id`.
 * Counts, if requested, take one more statement for all parents. Parents that have no list have no entry.
 */
export async function paginateByParent<T extends { id: string }>(
  db: Db,
  parents: Parents,
  inner: AnyQuery<T>,
  ordering: Ordering<T>,
  request: PageRange,
): Promise<Map<string, Page<T>>> {
  const { ids, among } = 'ids' in parents ? parents : { ids: parents, among: null };
  const { narrowed, size, backwards } = narrow(inner, ordering, request);
  const limited = ordered(narrowed, ordering, backwards).limit(size + 1);
  const byParent = new Map((among ? [] : ids).map((id): [string, T[]] => [id, []]));
  const together = Math.max(1, Math.floor(rowsTogether / Math.max(1, size)));
  for (let start = 0; start < ids.length; start += together) {
    const some = ids.slice(start, start + together);
    // A parent with an empty list also has a row, of nulls.
    const lists = among
      ? sql`(${among(some)}) as parent(id) left join lateral (${limited}) as x on true`
      : sql`unnest(${sql.val(some)}::uuid[]) as parent(id) cross join lateral (${limited}) as x`;
    const result = await sql<T & { parentId: string }>`select parent.id as parent_id, x.* from ${lists}`.execute(db);
    // The parent's id stays on the row: to copy thousands of rows without it takes longer than to read them.
    for (const row of result.rows) {
      let rows = byParent.get(row.parentId);
      if (!rows) byParent.set(row.parentId, (rows = []));
      if ((row.id as string | null) !== null) rows.push(row);
    }
  }
  let counts: Promise<Map<string, number>> | null = null;
  const count = async (id: string) => (await (counts ??= countByParent(db, [...byParent.keys()], inner))).get(id) ?? 0;
  return new Map(
    [...byParent].map(([id, rows]) => [id, page(rows, { size, backwards, request, ordering, count: () => count(id) })]),
  );
}

async function countByParent<T>(db: Db, parents: readonly string[], inner: AnyQuery<T>): Promise<Map<string, number>> {
  const counted = inner
    .clearSelect()
    .clearOrderBy()
    .select(sql<number>`count(*)::int`.as('rows'));
  const result = await sql<{
    parentId: string;
    rows: number;
  }>`select parent.id as parent_id, x.rows from
    unnest(${sql.val([...parents])}::uuid[]) as parent(id) cross join lateral (${counted}) as x`.execute(db);
  return new Map(result.rows.map((row) => [row.parentId, row.rows]));
}

function ordered<T>(query: AnyQuery<T>, ordering: Ordering<T>, reversed: boolean): AnyQuery<T> {
  const turned = (direction: 'asc' | 'desc') => ((direction === 'asc') === reversed ? 'desc' : 'asc');
  const sorted = query.orderBy(sql.ref(ordering.column), turned(ordering.direction));
  return ordering.column === ordering.id || ordering.unique
    ? sorted
    : sorted.orderBy(sql.ref(ordering.id), turned(ordering.ties ?? ordering.direction));
}

function beyond<T>(ordering: Ordering<T>, cursor: string, before: boolean): Expression<SqlBool> {
  const [key, id] = decodeCursor(cursor, ordering);
  const operatorOf = (direction: 'asc' | 'desc') => sql.raw((direction === 'asc') !== before ? '>' : '<');
  const operator = operatorOf(ordering.direction);
  if (ordering.column === ordering.id) return sql<SqlBool>`${sql.ref(ordering.id)} ${operator} ${id}::uuid`;
  const keyValue = sql`${key}::text::${sql.raw(ordering.type)}`;
  if (ordering.unique) return sql<SqlBool>`${sql.ref(ordering.column)} ${operator} ${keyValue}`;
  if (ordering.ties && ordering.ties !== ordering.direction) {
    return sql<SqlBool>`(${sql.ref(ordering.column)} ${operator} ${keyValue} or (${sql.ref(ordering.column)} = ${keyValue} and ${sql.ref(ordering.id)} ${operatorOf(ordering.ties)} ${id}::uuid))`;
  }
  return sql<SqlBool>`(${sql.ref(ordering.column)}, ${sql.ref(ordering.id)}) ${operator} (${keyValue}, ${id}::uuid)`;
}

async function countRows<T>(db: Db, query: AnyQuery<T>, exact: boolean): Promise<number | null> {
  const bounded = exact ? query : query.limit(countedAtMost + 1);
  const inner = bounded
    .clearSelect()
    .clearOrderBy()
    .select(sql<number>`1`.as('one'));
  const counting = sql<{ count: number }>`select count(*)::int as count from (${inner}) as counted`.compile(db);
  const list = exact ? null : JSON.stringify([counting.sql, counting.parameters]);
  if (list !== null && longLists.has(list)) return null;
  const result = await db.executeQuery(counting);
  const count = result.rows[0]?.count ?? 0;
  if (list === null || count <= countedAtMost) return count;
  longLists.set(list, true);
  return null;
}

/**
 * Lists that had more rows than are counted a moment ago: counting that far again, for every page, would cost more than
 * the page. One that has shrunk since is counted again within the minute.
 */
const longLists = new LRUCache<string, true>({ max: 1_000, ttl: 60_000 });

/** The order of a list, as its cursors name it; lists by creation share theirs, whatever they are lists of. */
function nameOf({ column, id, direction }: Pick<Ordering<never>, 'column' | 'id' | 'direction'>): string {
  return `${column === id ? 'created' : column.slice(column.lastIndexOf('.') + 1)} ${direction}`;
}

function encodeCursor(
  key: string | number,
  id: string,
  ordering: Pick<Ordering<never>, 'column' | 'id' | 'direction'>,
): string {
  return Buffer.from(JSON.stringify([key, id, nameOf(ordering)])).toString('base64url');
}

/** The cursor of a row in lists that are ordered by creation, newest first. */
export const newestCursor = (id: string): string => encodeCursor(id, id, newestFirst('id'));

function decodeCursor<T>(cursor: string, ordering: Ordering<T>): [string, string] {
  const [key, id, name] = partsOf(cursor);
  if (typeof id !== 'string' || !/^[0-9a-f-]{36}$/.test(id) || typeof name !== 'string')
    throw new Problem('malformed', 'The cursor is not valid');
  if (name !== nameOf(ordering))
    throw new Problem('malformed', 'The cursor belongs to a list in another order; begin this one at its start');
  return [String(key), id];
}

function partsOf(cursor: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
