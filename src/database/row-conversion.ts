import {
  type AliasedRawBuilder,
  type AliasNode,
  CamelCasePlugin,
  type ColumnNode,
  type ColumnUpdateNode,
  type OperationNode,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type QueryResult,
  type RootOperationNode,
  sql,
  type TableNode,
  type UnknownRow,
  ValueListNode,
  ValueNode,
  type ValuesItemNode,
  type ValuesNode,
} from 'kysely';
import type { Row, TableName } from '../entities/database.js';
import { columnsByTable } from '../entities/columns-by-table.js';
import { setVersion, versionColumn } from './row-version.js';
import { nextTurn } from '../event-loop/turns.js';

const tables = Object.values(columnsByTable);

/** Names of the bigint columns of all tables. */
const bigintColumns = new Set(tables.flatMap(({ bigint }) => bigint));

/**
 * Names of the columns of all tables that hold a time, besides those that end with `At`, which statements may compute
 * too.
 */
const timeColumns = new Set(tables.flatMap(({ times }) => times));

/** As both drivers hand times over that `Date` reads: text in the session's zone, which is UTC. */
const timestamp = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00$/;

/**
 * Makes the dates of a column. Lists have thousands, most of them within minutes of each other: the last minute is
 * parsed once, and of the others the seconds alone. Parsing the text whole takes four times as long and leaves four
 * pieces of it behind.
 */
function dates(): (value: unknown) => unknown {
  let minute = '';
  let startsAt = 0;
  return (value) => {
    if (typeof value !== 'string' || !timestamp.test(value)) return value;
    if (!value.startsWith(minute) || minute === '') {
      minute = value.slice(0, 16);
      startsAt = Date.parse(`${minute.replace(' ', 'T')}Z`);
    }
    return new Date(startsAt + millisecondsOf(value));
  };
}

const zero = '0'.charCodeAt(0);
const digit = (text: string, place: number) => text.charCodeAt(place) - zero;

/** Seconds and milliseconds of a time as text; what is smaller than a millisecond is cut off. */
function millisecondsOf(time: string): number {
  const seconds = digit(time, 17) * 10 + digit(time, 18);
  // Behind the point are one to six digits, before the zone of three characters.
  const digits = Math.min(3, time.length - 23);
  let thousandths = 0;
  for (let place = 0; place < 3; place += 1)
    thousandths = thousandths * 10 + (place < digits ? digit(time, 20 + place) : 0);
  return seconds * 1000 + thousandths;
}

/** bigint columns arrive as text from one driver and as a number from the other. */
const toNumber = (value: unknown) => (typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value);

interface Column {
  name: string;
  /** Member of the row that the column's value goes into: `job` for a column named `job.created_at`. */
  within: string | null;
  /** Null for the version of the row, which is kept beside it. */
  key: string | null;
  convert: ((value: unknown) => unknown) | null;
}

/**
 * Converts values between JavaScript and both drivers, by the metadata of the entities. Into the database it converts
 * values of json columns in `values`, `set` and `doUpdateSet`, because both drivers would send an array as a PostgreSQL
 * array and a text unquoted. Out of the database it converts dates, bigint and camelCase names in one pass; it looks up
 * the conversion of each column once per result, because lists have thousands of values. A column named
 * `job.created_at` becomes `createdAt` of the row's `job`, so that one statement can return rows of several tables
 * (`rowAs`).
 */
export class RowConversionPlugin extends CamelCasePlugin {
  constructor() {
    super({ maintainNestedObjectKeys: true });
  }

  override transformQuery(args: PluginTransformQueryArgs): RootOperationNode {
    return super.transformQuery({ ...args, node: withJsonValues(args.node) });
  }

  override async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    const [first] = result.rows;
    if (!first) return result;
    // Answers to statements that were sent together arrive together.
    if (result.rows.length >= rowsOfOwnTurn) await nextTurn();
    const columns = Object.keys(first).map((name) => this.column(name));
    const rows = columns.every(isPlain)
      ? convertPlainRows(columns, result.rows)
      : result.rows.map((row) => convertRow(columns, row));
    return { ...result, rows };
  }

  private column(name: string): Column {
    const dot = name.indexOf('.');
    const within = dot < 0 ? null : name.slice(0, dot);
    const own = dot < 0 ? name : name.slice(dot + 1);
    if (own === versionColumn) return { name, within, key: null, convert: null };
    const key = this.camelCase(own);
    if (key.endsWith('At') || timeColumns.has(key)) return { name, within, key, convert: dates() };
    return { name, within, key, convert: bigintColumns.has(key) ? toNumber : null };
  }
}

/** Rows that are converted in a turn of the event loop that has time for them: hundreds take milliseconds. */
const rowsOfOwnTurn = 200;

/** A column that becomes a member of the row itself. */
interface PlainColumn extends Column {
  within: null;
  key: string;
}

const isPlain = (column: Column): column is PlainColumn => column.within === null && column.key !== null;

function convertPlainRows(columns: readonly PlainColumn[], rows: readonly UnknownRow[]): UnknownRow[] {
  // A copy of an object with all keys has its final size, one that gets them one by one is enlarged again and again.
  const empty: Readonly<UnknownRow> = Object.fromEntries(columns.map(({ key }) => [key, null]));
  return rows.map((row) => {
    const converted = { ...empty };
    for (const { name, key, convert } of columns) {
      const value = row[name];
      converted[key] = convert === null || value === null ? value : convert(value);
    }
    return converted;
  });
}

function convertRow(columns: readonly Column[], row: UnknownRow): UnknownRow {
  const converted: UnknownRow = {};
  for (const { name, within, key, convert } of columns) {
    const value = convert ? convert(row[name]) : row[name];
    const target = within === null ? converted : ((converted[within] ??= {}) as UnknownRow);
    if (key === null) setVersion(target, String(value));
    else target[key] = value;
  }
  return converted;
}

const storedNames = new Map<string, string>();
/** Keys are those of entities; only a fault would bring more. */
const storedNamesAtMost = 5_000;

/** The name of a column in the database. */
export function storedName(key: string): string {
  const known = storedNames.get(key);
  if (known !== undefined) return known;
  const name = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  if (storedNames.size < storedNamesAtMost) storedNames.set(key, name);
  return name;
}

export function isJsonColumn(table: string, key: string): boolean {
  return columnsByTable[table]?.json.includes(key) ?? false;
}

const columnsOf = (table: TableName): readonly string[] => columnsByTable[table]?.all ?? [];

/** The names, if all of them are columns of the table; else null. */
export function columnsAmong(table: TableName, names: readonly string[] | null | undefined): readonly string[] | null {
  const columns = columnsOf(table);
  return names?.every((name) => columns.includes(name)) ? names : null;
}

/**
 * All columns of a table's alias, selected as the row's member `member`. Of an outer join without a row every column is
 * null, the id too.
 */
export function rowAs<T extends TableName, M extends string>(table: T, alias: string, member: M) {
  const columns = columnsOf(table).map((name) => sql.ref(`${alias}.${name}`).as(`${member}.${name}`));
  // Kysely has no type for columns that become one member.
  return columns as unknown as readonly [AliasedRawBuilder<Row<T>, M>];
}

/** {@link rowAs} for a piece of `sql`. */
export function rowAsColumns(table: TableName, alias: string, member: string) {
  const names = columnsOf(table).map(storedName);
  return sql.raw(names.map((name) => `${alias}."${name}" as "${member}.${name}"`).join(', '));
}

/**
 * Columns of a table's alias, all of them if none are named, as one JSON object, for statements that return lists of
 * rows; {@link rowsFromJson} makes rows of them. `computed` adds members that are expressions.
 */
export function rowAsJson(
  table: TableName,
  alias: string,
  names: readonly string[] = columnsOf(table),
  computed: Readonly<Record<string, string>> = {},
) {
  const members = [
    ...names.map((name) => `'${name}', ${alias}."${storedName(name)}"`),
    ...Object.entries(computed).map(([name, expression]) => `'${name}', ${expression}`),
  ];
  // A function takes a hundred arguments.
  return sql.raw(`json_build_object(${members.join(', ')})`);
}

/** The rows of an aggregate of {@link rowAsJson}, which is null if there are none. */
export function rowsFromJson<R>(rows: readonly R[] | null | undefined): R[] {
  for (const row of (rows ?? []) as Record<string, unknown>[])
    for (const key in row) if (key.endsWith('At') && typeof row[key] === 'string') row[key] = new Date(row[key]);
  return (rows ?? []) as R[];
}

/** The rows of an aggregate of `row_to_json`. */
export function rowsFromStoredJson<R>(rows: readonly Record<string, unknown>[] | null | undefined): R[] {
  return rowsFromJson(
    (rows ?? []).map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
          value,
        ]),
      ),
    ),
  ) as R[];
}

/** The statement with the values of json columns sent as JSON; the writes of its common table expressions too. */
function withJsonValues<T extends OperationNode>(node: T): T {
  const statement = node as OperationNode as RootOperationNode;
  const nested =
    'with' in statement && statement.with
      ? {
          with: {
            ...statement.with,
            expressions: statement.with.expressions.map((each) => ({
              ...each,
              expression: withJsonValues(each.expression),
            })),
          },
        }
      : {};
  if (statement.kind === 'InsertQueryNode') {
    const columns = jsonColumnsOf(statement.into);
    if (columns.length === 0) return { ...node, ...nested };
    const isJson = (statement.columns ?? []).map((column) => columns.includes(column.column.name));
    const { values, onConflict } = statement;
    return {
      ...node,
      ...nested,
      ...(values?.kind === 'ValuesNode' && isJson.includes(true)
        ? { values: { ...values, values: (values as ValuesNode).values.map((row) => jsonRow(row, isJson)) } }
        : {}),
      ...(onConflict?.updates
        ? { onConflict: { ...onConflict, updates: jsonUpdates(onConflict.updates, columns) } }
        : {}),
    };
  }
  if (statement.kind === 'UpdateQueryNode' && statement.updates) {
    const columns = jsonColumnsOf(statement.table);
    return columns.length === 0
      ? { ...node, ...nested }
      : { ...node, ...nested, updates: jsonUpdates(statement.updates, columns) };
  }
  return 'with' in nested ? { ...node, ...nested } : node;
}

/** The json columns of the table that a statement writes, which may have an alias. */
function jsonColumnsOf(target: OperationNode | undefined): readonly string[] {
  const table = target?.kind === 'AliasNode' ? (target as AliasNode).node : target;
  return table?.kind === 'TableNode' ? (columnsByTable[(table as TableNode).table.identifier.name]?.json ?? []) : [];
}

function jsonRow(row: ValuesItemNode, isJson: readonly boolean[]): ValuesItemNode {
  const values: readonly OperationNode[] =
    row.kind === 'PrimitiveValueListNode' ? row.values.map((value) => ValueNode.create(value)) : row.values;
  return ValueListNode.create(values.map((value, index) => (isJson[index] ? jsonValue(value) : value)));
}

function jsonUpdates(updates: readonly ColumnUpdateNode[], columns: readonly string[]): ColumnUpdateNode[] {
  return updates.map((update) => {
    const { column } = update;
    const name = column.kind === 'ColumnNode' ? (column as ColumnNode).column.name : null;
    return name !== null && columns.includes(name) ? { ...update, value: jsonValue(update.value) } : update;
  });
}

/** A plain value as JSON; null is the SQL null, never the JSON text `null`. Expressions stay as they are. */
function jsonValue(node: OperationNode): OperationNode {
  if (node.kind !== 'ValueNode') return node;
  const { value } = node as ValueNode;
  return value === null || value === undefined ? node : sql`${JSON.stringify(value)}::jsonb`.toOperationNode();
}
