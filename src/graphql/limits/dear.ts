import { createMethodMiddlewareDecorator, Extensions } from 'type-graphql';
import type { GraphqlContext } from '../context.js';

/** Extra points of expensive fields (docs/graphql.md#limits). */
export const dear = {
  /** Computed from about a dozen rows, with many values. */
  environment: 50,
  /** Reads steps, agents or jobs beyond the object, for many objects at once. */
  explanation: 5,
  /** Computes from what the caller sends, with statements of its own for each parent. */
  ownStatements: 10,
  /** Reads a log from the storage. */
  logBytes: 10,
  /** Reads all of a log. */
  wholeLog: 50,
  /** Looks through many rows to compute from them. */
  manyRows: 50,
} as const;

/**
 * Charges a field extra `points`: in the estimate for each time it may be resolved, in the actual cost for each time it
 * was.
 */
export function Dear(points: number): MethodDecorator & PropertyDecorator {
  const inSchema = Extensions({ points });
  const whenResolved = createMethodMiddlewareDecorator<GraphqlContext>(({ context }, next) => {
    context.charge(points);
    return next();
  });
  return (target: object, property: string | symbol, descriptor?: PropertyDescriptor) => {
    (inSchema as MethodDecorator)(target, property, descriptor as PropertyDescriptor);
    (whenResolved as MethodDecorator)(target, property, descriptor as PropertyDescriptor);
  };
}
