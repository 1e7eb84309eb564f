import type { CompiledQuery, DatabaseConnection } from 'kysely';
import type { RowMeter } from './read-memory.js';

/** A compiled query whose rows are counted as they arrive. */
export interface MeteredQuery extends CompiledQuery {
  meter?: RowMeter;
}

/** The connection, with the rows of its statements counted by a meter. */
export function meterRows(connection: DatabaseConnection, meter: RowMeter): DatabaseConnection {
  return {
    executeQuery: (query) => connection.executeQuery({ ...query, meter } as MeteredQuery),
    streamQuery: (query, size) => connection.streamQuery(query, size),
  };
}
