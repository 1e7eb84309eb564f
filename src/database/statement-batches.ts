import { isDeepStrictEqual } from 'node:util';
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import { listsPerStatement } from '../domain/limits/graphql-limits.js';
import type { Db } from '../entities/database.js';
import { handleOver } from './handle-over.js';
import { replaceParameters } from './statement-text.js';

type Result = QueryResult<Record<string, unknown>>;

interface Waiting {
  query: CompiledQuery;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** Statements of a batch at most, where each returns few rows. */
const largestBatch = 500;

/**
 * Sends the reading statements of several callers in batches, those of the same moment. Where the same work is done for
 * each of several parents, the statements have the same text and differ in ids only: they become one statement, which
 * runs the text for each row of a table of those ids, and each caller gets its rows. Statements that differ in anything
 * else are sent as they are.
 */
export class StatementBatches {
  /** The handle of the callers; it cannot begin a transaction. */
  readonly db: Db;
  private waiting = new Map<string, Waiting[]>();

  /**
   * @param base sends the statements.
   * @param schedule calls its argument once the callers that are at work now have come to their next statement.
   */
  constructor(
    private readonly base: Db,
    private readonly schedule: (dispatch: () => void) => void,
  ) {
    const connection: DatabaseConnection = {
      executeQuery: <R>(query: CompiledQuery) => this.queue(query) as Promise<QueryResult<R>>,
      streamQuery: () => {
        throw new Error('statements of a batch are not streamed');
      },
    };
    this.db = handleOver(base, { provideConnection: (consumer) => consumer(connection) });
  }

  private queue(query: CompiledQuery): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.waiting.size === 0) this.schedule(() => this.dispatch());
      const alike = this.waiting.get(query.sql) ?? [];
      alike.push({ query, resolve, reject });
      this.waiting.set(query.sql, alike);
    });
  }

  private dispatch(): void {
    const groups = [...this.waiting.values()];
    this.waiting = new Map();
    for (const group of groups) {
      const size = batchSize(group[0]?.query);
      for (let start = 0; start < group.length; start += size) void this.send(group.slice(start, start + size));
    }
  }

  private async send(group: readonly Waiting[]): Promise<void> {
    const [first] = group;
    if (!first) return;
    const places = differingIds(group.map(({ query }) => query.parameters));
    if (group.length === 1 || places === null) {
      await Promise.all(group.map((each) => this.answer([each], async () => [await this.execute(each.query)])));
      return;
    }
    await this.answer(group, async () => {
      if (places.length === 0) {
        const result = await this.execute(first.query);
        return group.map(() => result);
      }
      const { rows } = await this.execute(statementOfAll(first.query, group, places));
      const results = group.map((): Result => ({ rows: [] }));
      // The place stays on the row: to copy rows without it takes longer than to read them.
      for (const row of rows) results[Number(row[ordinal]) - 1]?.rows.push(row);
      return results;
    });
  }

  private async answer(group: readonly Waiting[], work: () => Promise<readonly Result[]>): Promise<void> {
    try {
      const results = await work();
      group.forEach((each, index) => each.resolve(results[index] ?? { rows: [] }));
    } catch (error) {
      for (const each of group) each.reject(error);
    }
  }

  private execute(query: CompiledQuery): Promise<Result> {
    return this.base.getExecutor().provideConnection((connection) => connection.executeQuery(query));
  }
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const ordinal = 'batch_ordinal';

/** The parameters that differ; null if one of them is no id, so that its type in the statement is unknown. */
function differingIds(parameters: readonly (readonly unknown[])[]): number[] | null {
  const [first = []] = parameters;
  const places: number[] = [];
  for (const [place, value] of first.entries()) {
    const values = parameters.map((each) => each[place]);
    if (values.every((each) => each === value || isDeepStrictEqual(each, value))) continue;
    if (!values.every((each) => typeof each === 'string' && uuid.test(each))) return null;
    places.push(place);
  }
  return places;
}

/** The statement of all: the text of each, run for every row of a table of the ids that differ. */
function statementOfAll(query: CompiledQuery, group: readonly Waiting[], places: readonly number[]): CompiledQuery {
  const parameters: unknown[] = places.map((place) => group.map((each) => each.query.parameters[place]));
  const text = replaceParameters(query.sql, (number) => {
    const place = number - 1;
    const column = places.indexOf(place);
    if (column >= 0) return `batch.id${column}`;
    parameters.push(query.parameters[place]);
    return `$${parameters.length}`;
  });
  const ids = places.map((_, index) => `$${index + 1}::uuid[]`).join(', ');
  const names = places.map((_, index) => `id${index}`).join(', ');
  const sql =
    `select batch.${ordinal}, each.* from unnest(${ids}) with ordinality as batch(${names}, ${ordinal}) ` +
    `cross join lateral (${text}) as each`;
  // Without a name that the statement of one may have.
  return { query: query.query, queryId: query.queryId, sql, parameters };
}

/** Statements of a batch, so that all of them return about as many rows as may be converted in one go. */
function batchSize(query: CompiledQuery | undefined): number {
  const limit = query && /\blimit \$(\d+)$/.exec(query.sql);
  const rows = limit ? Number(query.parameters[Number(limit[1]) - 1]) : 1;
  return listsPerStatement(rows, largestBatch);
}
