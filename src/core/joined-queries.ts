import type { Context } from '../request/context.js';
import { JoinedStatements } from '../database/joined-statements.js';
import { type Operation, perform } from './operation.js';
import type { Subject } from './subject.js';

/**
 * Queries of a request that are performed for several parents at the same moment, as lists inside lists are. Each is
 * performed for itself, with the rights and errors of its parent, while each statement of the operation is one for all
 * of them.
 */
export class JoinedQueries {
  private contexts = new Map<string, Context>();

  /** @param schedule calls its argument once the queries that are at work now have come to their next statement. */
  constructor(
    private readonly context: Context,
    private readonly schedule: (dispatch: () => void) => void,
  ) {}

  /**
   * Performs a query for one parent.
   * @param parent the part of the input that addresses the parent, by ids.
   * @param input the rest of the input; only queries with the same are joined.
   */
  perform<Input, S extends Subject, Output>(
    operation: Operation<Input, S, Output>,
    parent: object,
    input: object = {},
  ): Promise<Output> {
    const name = `${operation.name} ${Object.keys(parent).join()} ${JSON.stringify(input)}`;
    let context = this.contexts.get(name);
    if (!context) {
      context = this.context.reading(new JoinedStatements(this.context.db, this.schedule).db);
      this.contexts.set(name, context);
    }
    return perform(operation, context, { ...input, ...parent });
  }
}
