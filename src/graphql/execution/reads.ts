import { Extensions } from 'type-graphql';

/**
 * Names the columns of its row that a method of a resolver reads, all of them: a list then need not read the others. A
 * method without this decorator gets whole rows, and so must one that hands its row on.
 */
export function Reads<Row extends object>(...columns: (keyof Row & string)[]): MethodDecorator {
  return Extensions({ reads: columns }) as MethodDecorator;
}

/** The columns that {@link Reads} names for a field; null if it has none. */
export function readsOf({ extensions }: { extensions: Readonly<Record<string, unknown>> }): readonly string[] | null {
  const { reads } = extensions;
  return Array.isArray(reads) ? (reads as readonly string[]) : null;
}
