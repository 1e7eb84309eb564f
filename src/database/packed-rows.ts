import { isJsonColumn, storedName } from './row-conversion.js';

/** Rows from which on what all of them have alike is sent once; to look for it costs more than it saves in fewer. */
export const manyRows = 20;

/** Characters from which on members that all objects of a JSON column have alike are sent once. */
const manyCharacters = 100;

type Values = Readonly<Record<string, unknown>>;

/** Rows by the stored names of their columns, as JSON texts; null is left out. */
export interface PackedRows {
  /** Columns of any row, as the rows name them. */
  keys: string[];
  /** One object: the columns that are alike in all rows. */
  common: string;
  /** Keys of the columns in `common`, nulls too. */
  commonKeys: ReadonlySet<string>;
  /** JSON columns by their keys, each with the members, as JSON text, that its objects have alike in all rows. */
  commonMembers: ReadonlyMap<string, string>;
  /** A list of objects: what is left of each row. */
  rows: string;
}

/**
 * Packs rows of a table for one statement. The rows of an upload are alike in most columns: sent once, these are
 * neither made text nor read five hundred times. Without a table no column is searched for common members.
 */
export function packRows(rows: readonly object[], table: string | null = null): PackedRows {
  const values = rows as readonly Values[];
  const keys = new Set<string>();
  for (const row of values) for (const key in row) keys.add(key);
  const [first = {}] = values;
  const isMany = values.length >= manyRows;
  const common: Record<string, unknown> = {};
  const commonKeys = new Set<string>();
  const commonMembers = new Map<string, string>();
  const varying: Column[] = [];
  for (const key of keys) {
    const name = storedName(key);
    if (isMany && values.every((row) => alike(row[key] ?? null, first[key] ?? null))) {
      commonKeys.add(key);
      if (first[key] != null) common[name] = first[key];
      continue;
    }
    const members = isMany && table !== null && isJsonColumn(table, key) ? membersAlike(values, key) : null;
    if (members) commonMembers.set(key, members.text);
    varying.push({ key, name, without: members?.names ?? null });
  }
  return {
    keys: [...keys],
    common: JSON.stringify(common),
    commonKeys,
    commonMembers,
    rows: JSON.stringify(values.map((row) => pick(row, varying))),
  };
}

interface Column {
  key: string;
  name: string;
  /** Members that its values leave out. */
  without: ReadonlySet<string> | null;
}

function pick(row: Values, columns: readonly Column[]): Values {
  const picked: Record<string, unknown> = {};
  for (const { key, name, without } of columns) {
    const value = row[key];
    if (value === null || value === undefined) continue;
    picked[name] = without ? withoutMembers(value as Values, without) : value;
  }
  return picked;
}

function withoutMembers(value: Values, names: ReadonlySet<string>): Values {
  const rest: Record<string, unknown> = {};
  for (const name in value) if (!names.has(name)) rest[name] = value[name];
  return rest;
}

/** The members that all objects of a column have alike; null where there are too few, or a value is no object. */
function membersAlike(rows: readonly Values[], key: string): { names: ReadonlySet<string>; text: string } | null {
  const [first] = rows;
  // Assigned to another object, a member of that name would become its prototype.
  const isSafe = (value: unknown) => isPlainObject(value) && !Object.hasOwn(value, '__proto__');
  if (!first || !rows.every((row) => isSafe(row[key]))) return null;
  const members = Object.entries(first[key] as Values).filter(
    ([name, value]) =>
      value !== undefined &&
      rows.every((row) => Object.hasOwn(row[key] as Values, name) && alike((row[key] as Values)[name], value)),
  );
  const text = JSON.stringify(Object.fromEntries(members));
  return text.length < manyCharacters ? null : { names: new Set(members.map(([name]) => name)), text };
}

const isPlainObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

/** Whether two values become the same JSON. */
function alike(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (one instanceof Date) return other instanceof Date && one.getTime() === other.getTime();
  if (Array.isArray(one))
    return (
      Array.isArray(other) && one.length === other.length && one.every((value, index) => alike(value, other[index]))
    );
  if (!isPlainObject(one) || !isPlainObject(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && alike(one[name], other[name]))
  );
}
