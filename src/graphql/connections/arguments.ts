import { ArgsType, Field, Int } from 'type-graphql';
import { limits } from '../../domain/limits/limits.js';
import { invalid } from '../../domain/problem.js';
import type { Paging } from '../../core/paging.js';
import { optional } from '../server/options.js';

/** Page size of a connection without `first` and `last`. */
export const defaultPageSize = limits.connectionMax;

type Stretch = Extract<Paging, { first?: unknown }>;

@ArgsType()
export class SizeArguments {
  @Field(() => Int, {
    ...optional,
    description: 'Maximum number of items, counted from the start of the list; at most 500 unless stated otherwise.',
  })
  first?: number | null;

  @Field(() => Int, {
    ...optional,
    description: 'Maximum number of items, counted from the end of the list; at most 500 unless stated otherwise.',
  })
  last?: number | null;
}

@ArgsType()
export class PageArguments extends SizeArguments {
  @Field(() => String, { ...optional, description: 'Cursor; only items after the item with this cursor.' })
  after?: string | null;

  @Field(() => String, { ...optional, description: 'Cursor; only items before the item with this cursor.' })
  before?: string | null;
}

/**
 * The page that a connection's arguments select; throws `invalid` for a size below 0 or above `most`, or for both
 * sizes.
 */
export function stretchOf(args: PageArguments, most: number = limits.connectionMax): Stretch {
  const { first = null, last = null, after = null, before = null } = args;
  const problems = Object.entries({ first, last }).flatMap(([field, size]) =>
    size !== null && (size < 0 || size > most) ? [{ field, code: `must be between 0 and ${most}` }] : [],
  );
  if (first !== null && last !== null) problems.push({ field: 'last', code: 'cannot be given together with first' });
  if (problems.length > 0) throw invalid(problems);
  return { first: first === null && last === null ? defaultPageSize : first, last, after, before };
}
