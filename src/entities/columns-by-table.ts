import { BigIntType, DateTimeType, JsonType } from '@mikro-orm/core';
import { entities } from './registry.js';

/** Names of columns of a table, as entities give them. */
export interface TableColumns {
  all: readonly string[];
  json: readonly string[];
  /** Their values stay below 2^53. */
  bigint: readonly string[];
  times: readonly string[];
}

/**
 * The columns of each table. The bundled program has the result in place of this module, and loads no entities for it.
 */
export const columnsByTable: Readonly<Record<string, TableColumns>> = Object.fromEntries(
  entities.map(({ meta }) => {
    const types = Object.entries(meta.properties as Record<string, { type: unknown }>);
    const named = (is: (type: unknown) => boolean) => types.flatMap(([name, { type }]) => (is(type) ? [name] : []));
    return [
      meta.tableName,
      {
        all: named(() => true),
        json: named((type) => type === JsonType),
        bigint: named((type) => type instanceof BigIntType),
        times: named((type) => type === DateTimeType),
      },
    ];
  }),
);
