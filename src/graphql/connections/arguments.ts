import { ArgsType, Field, Int } from 'type-graphql';
import { limits } from '../../domain/limits.js';
import { invalid } from '../../domain/problem.js';
import type { Paging } from '../../operations/paging.js';
import { optional } from '../options.js';

/** The page size of a connection that names none, as upstream counts it (graphql-facts 1.3). */
export const defaultPageSize = limits.connectionMax;

type Stretch = Extract<Paging, { first?: unknown }>;

@ArgsType()
export class SizeArguments {
  @Field(() => Int, { ...optional, description: 'At most this many, from the start.' })
  first?: number | null;

  @Field(() => Int, { ...optional, description: 'At most this many, from the end.' })
  last?: number | null;
}

@ArgsType()
export class PageArguments extends SizeArguments {
  @Field(() => String, { ...optional, description: 'Only items after this cursor.' })
  after?: string | null;

  @Field(() => String, { ...optional, description: 'Only items before this cursor.' })
  before?: string | null;
}

/** The stretch a connection's arguments ask for; refuses sizes that are negative, too large, or given from both ends. */
export function stretchOf(given: PageArguments, most: number = limits.connectionMax): Stretch {
  const { first = null, last = null, after = null, before = null } = given;
  const problems = Object.entries({ first, last }).flatMap(([field, size]) =>
    size !== null && (size < 0 || size > most) ? [{ field, code: `must be between 0 and ${most}` }] : [],
  );
  if (first !== null && last !== null) problems.push({ field: 'last', code: 'cannot be given together with first' });
  if (problems.length > 0) throw invalid(problems);
  return { first: first === null && last === null ? defaultPageSize : first, last, after, before };
}
