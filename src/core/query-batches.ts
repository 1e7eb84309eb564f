import DataLoader from 'dataloader';
import type { Context } from '../request/context.js';
import { StatementBatches } from '../database/statement-batches.js';
import type { Db } from '../entities/database.js';
import { type Operation, perform } from './operation.js';
import type { Subject } from './subject.js';

/** What an operation for many parents returns: the value of each parent by its id; none for a hidden one. */
export interface ValuesByParent<Value> {
  get(id: string): Value | undefined;
}

/** The field of the input that takes the ids of parents, with the id of one of them. */
export type ParentId<Input> = { readonly [Key in keyof Input]?: string };

/**
 * Performs the queries of a request in batches: asked for several parents at the same moment, with the same input, a
 * query takes as many statements as for one of them. An operation for many parents (`batchOf`) is performed once, with
 * the ids of all. Any other is performed for each parent, with the rights and errors of that parent, and the statements
 * that it sends for them are one ({@link StatementBatches}).
 */
export class QueryBatches {
  private readonly batches = new Map<string, DataLoader<object, unknown, string>>();

  constructor(
    private readonly context: Context,
    private readonly options: {
      /** Calls its argument once what is at work now has come to its next query or statement. */
      schedule: (dispatch: () => void) => void;
      /** Parents for which an operation for many is performed at once. */
      size: (key: string, input: object) => number;
    },
  ) {}

  /** Performs a query for one of several parents; `parent`: the part of its input that addresses the parent by ids. */
  perform<Input, S extends Subject>(
    operation: Operation<Input, S, unknown>,
    parent: object,
    input: object,
  ): Promise<unknown> {
    const keys = Object.keys(parent);
    // A query that passes without its scope shares nothing with the query itself.
    const name = `${operation.name} ${operation.scope} ${keys.join()} ${JSON.stringify(input)}`;
    let batch = this.batches.get(name);
    if (!batch) {
      const { schedule, size } = this.options;
      const [key = ''] = keys;
      const isOfMany = operation.batchOf !== null;
      batch = new DataLoader(
        (parents) =>
          isOfMany
            ? this.ofMany(operation as Operation<Input, S, ValuesByParent<unknown>>, { key, parents, input })
            : this.ofEach(operation, parents, input),
        {
          batchScheduleFn: schedule,
          cacheKeyFn: (of: object) => JSON.stringify(of),
          ...(isOfMany && { maxBatchSize: size(key, input) }),
        },
      );
      this.batches.set(name, batch);
    }
    return batch.load(parent);
  }

  private async ofMany<Input, S extends Subject>(
    operation: Operation<Input, S, ValuesByParent<unknown>>,
    { key, parents, input }: { key: string; parents: readonly object[]; input: object },
  ): Promise<unknown[]> {
    const ids = parents.map((parent) => (parent as Record<string, string>)[key] ?? '');
    const values = await perform(operation, this.context, { ...input, [key]: ids });
    return ids.map((id) => values.get(id));
  }

  private ofEach<Input, S extends Subject>(
    operation: Operation<Input, S, unknown>,
    parents: readonly object[],
    input: object,
  ): Promise<unknown[]> {
    const inBatches = (db: Db) => new StatementBatches(db, this.options.schedule).db;
    const context = this.context.reading(inBatches(this.context.db), inBatches);
    return Promise.all(
      parents.map((parent) =>
        perform(operation, context, { ...input, ...parent }).catch((error: unknown) => error as Error),
      ),
    );
  }
}
