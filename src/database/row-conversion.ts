import { CamelCasePlugin, type PluginTransformResultArgs, type QueryResult, type RawBuilder, sql, type UnknownRow } from 'kysely';

/** A value for a jsonb column: both drivers would otherwise send a JavaScript array as a PostgreSQL array. */
export function jsonb<T>(value: T): RawBuilder<T> {
  return sql<T>`${JSON.stringify(value)}::jsonb`;
}

/** A value for a nullable jsonb column: SQL null, never the JSON text `null`. */
export function jsonbOrNull<T>(value: T | null | undefined): RawBuilder<T> | null {
  return value === null || value === undefined ? null : jsonb(value);
}

/** The product's bigint columns; all stay below 2^53. */
const bigintColumns = new Set(['startOffset', 'logSize', 'bytes', 'fileSize', 'ordinal', 'position', 'lastPosition', 'forgottenPosition']);
const timestamp = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00$/;

/** Both drivers hand timestamps over as text in the session's zone, which is UTC. */
const toDate = (value: unknown) => (typeof value === 'string' && timestamp.test(value) ? new Date(`${value.slice(0, 10)}T${value.slice(11, -3)}Z`) : value);

/** bigint columns arrive as text from one driver and as a number from the other. */
const toNumber = (value: unknown) => (typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value);

interface Column {
  name: string;
  key: string;
  convert: ((value: unknown) => unknown) | null;
}

/**
 * The one place where what the two drivers return differently becomes the same: dates, bigint; and where column names
 * become camelCase. Both in one pass with what is known of a column found once a result: lists are thousands of values.
 */
export class RowConversionPlugin extends CamelCasePlugin {
  constructor() {
    super({ maintainNestedObjectKeys: true });
  }

  override async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    const [first] = result.rows;
    if (!first) return result;
    const columns = Object.keys(first).map((name) => this.column(name));
    return { ...result, rows: result.rows.map((row) => convertRow(columns, row)) };
  }

  private column(name: string): Column {
    const key = this.camelCase(name);
    return { name, key, convert: key.endsWith('At') ? toDate : bigintColumns.has(key) ? toNumber : null };
  }
}

function convertRow(columns: readonly Column[], row: UnknownRow): UnknownRow {
  const converted: UnknownRow = {};
  for (const { name, key, convert } of columns) converted[key] = convert ? convert(row[name]) : row[name];
  return converted;
}
