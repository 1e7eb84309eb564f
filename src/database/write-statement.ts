import { createHash } from 'node:crypto';
import { CompiledQuery } from 'kysely';
import type { Db, NewRow, Patch, Row } from '../entities/database.js';
import type { NamedQuery } from './postgres-driver.js';
import { insertBatches, type RowInsert } from './insert-batches.js';
import { manyRows, packRows } from './packed-rows.js';
import { rowsFromStoredJson, storedName } from './row-conversion.js';
import { auditColumns, type EventDraft, eventColumns, outboxColumns } from './recorded-columns.js';

/** Tables of which {@link write} changes rows. */
export type ChangedTable = 'jobs' | 'builds' | 'agents';

/** A change of rows of one table. */
export interface RowChange<T extends ChangedTable = ChangedTable> {
  table: T;
  /** One id for a build. */
  ids: readonly string[];
  /** Plain values, no expressions. */
  set: Patch<T>;
  /** Values that the rows must have still. */
  where?: Partial<Row<T>>;
  /** Whether every one of the rows must be found so; {@link write} throws otherwise. */
  all: boolean;
}

/** Everything that one statement writes. No row may be named twice. */
export interface Writes {
  inserts: readonly RowInsert[];
  changes: readonly RowChange[];
  /** Numbered within their builds in this order. */
  events: readonly EventDraft[];
  outbox: readonly NewRow<'outbox_messages'>[];
  audit: readonly NewRow<'audit_events'>[];
}

export interface Written {
  /** The events with their numbers. */
  events: NewRow<'events'>[];
  /** False if surely nobody is to be notified of the events. */
  mayNotify: boolean;
}

/** A statement while it is put together. */
class Draft {
  readonly values: unknown[] = [];
  readonly parts: string[] = [];
  readonly results: string[] = [];

  /** Adds a value and returns its placeholder. */
  value(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  part(name: string, text: string): void {
    this.parts.push(`${name} as (${text})`);
  }
}

/**
 * Applies changes, raises the event counters of builds, and inserts events, outbox messages and audit rows, with one
 * statement; rows of many bytes are inserted before, with several. Throws if a row that must be found was not.
 */
export async function write(db: Db, writes: Writes): Promise<Written> {
  const batches = insertBatches(writes.inserts);
  if (batches.length <= 1) return writeAtOnce(db, writes);
  for (const inserts of batches) await writeAtOnce(db, { inserts, changes: [], events: [], outbox: [], audit: [] });
  return writeAtOnce(db, { ...writes, inserts: [] });
}

async function writeAtOnce(db: Db, { inserts, changes, events, outbox, audit }: Writes): Promise<Written> {
  const draft = new Draft();
  const numbers = numberEvents(events);
  inserts.forEach((insert, index) => addInsert(draft, `insert${index}`, insert, numbers.counts));
  const groups = ofOneShape(changes);
  groups.forEach((group, index) => addChanges(draft, `change${index}`, group, numbers.counts));
  if (groups.length > 0) {
    const counted = groups.map((_group, index) => `(select count(*) from change${index})`);
    draft.results.push(`json_build_array(${counted.join(', ')}) as changed`);
  }
  if (events.length > 0) addEvents(draft, events, numbers, { inserts, groups });
  if (outbox.length > 0)
    draft.part('sent', `insert into outbox_messages (${outboxColumns.stored}) ${rowsOf(draft, outboxColumns, outbox)}`);
  if (audit.length > 0)
    draft.part('audited', `insert into audit_events (${auditColumns.stored}) ${rowsOf(draft, auditColumns, audit)}`);
  if (draft.parts.length === 0) return { events: [], mayNotify: false };
  const text = `with ${draft.parts.join(', ')} select ${draft.results.join(', ') || 'true as done'}`;
  const query = CompiledQuery.raw(text, draft.values);
  // Many changes and many rows are of many shapes, and each name is a plan that every connection keeps.
  const manyShapes =
    groups.length > 4 ||
    inserts.length > 4 ||
    events.length >= manyRows ||
    inserts.some(({ rows }) => rows.length >= manyRows);
  const sent: NamedQuery = manyShapes ? query : { ...query, statementName: nameOf(text) };
  const [row] = (await db.executeQuery<Outcome>(sent)).rows;
  groups.forEach((group, index) => {
    const ids = group.flatMap((change) => change.ids);
    if (group[0]?.all && row?.changed[index] !== ids.length)
      throw new Error(`rows of ${group[0].table} changed although they were locked: ${ids.join(', ')}`);
  });
  inserts.forEach(({ returned }, index) =>
    returned?.(rowsFromStoredJson(row?.[`insert${index}`] as Record<string, unknown>[] | null)),
  );
  return {
    events: events.map((event, index) => {
      const [of, number] = numbers.places[index] ?? [0, 0];
      const last = row?.numbers?.[event.buildId ?? ''] ?? of;
      return { ...event, sequence: last - of + number };
    }),
    mayNotify: row?.mayNotify === true,
  };
}

interface Outcome extends Record<string, unknown> {
  changed: number[];
  numbers?: Record<string, number> | null;
  mayNotify?: boolean;
}

const names = new Map<string, string>();

function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = `write-${createHash('sha1').update(text).digest('base64url').slice(0, 16)}`;
  if (names.size < 200) names.set(text, name);
  return name;
}

function addInsert(
  draft: Draft,
  name: string,
  { table, rows, returned }: RowInsert,
  counts: ReadonlyMap<string, number>,
): void {
  const values: readonly object[] =
    table === 'builds'
      ? (rows as NewRow<'builds'>[]).map((row) => ({ ...row, eventSequence: counts.get(row.id) ?? 0 }))
      : rows;
  const { keys, common, commonKeys, commonMembers, rows: json } = packRows(values, table);
  const column = (key: string) => `"${storedName(key)}"`;
  const selected = keys.map((key) => {
    const members = commonMembers.get(key);
    return members === undefined ? column(key) : `${draft.value(members)}::jsonb || ${column(key)}`;
  });
  const base =
    commonKeys.size === 0 ? `null::${table}` : `jsonb_populate_record(null::${table}, ${draft.value(common)}::jsonb)`;
  draft.part(
    name,
    `insert into ${table} as t (${keys.map(column).join(', ')}) select ${selected.join(', ')}
      from jsonb_populate_recordset(${base}, ${draft.value(json)}::jsonb) returning ${returned || table === 'builds' ? 't.*' : '1'}`,
  );
  if (returned) draft.results.push(`(select json_agg(row_to_json(r)) from ${name} r) as ${name}`);
}

/**
 * The changes in groups: those that set and guard the same columns are written together, so that there are few
 * statements, however many rows are changed by each.
 */
function ofOneShape(changes: readonly RowChange[]): RowChange[][] {
  const groups = new Map<string, RowChange[]>();
  for (const change of changes) {
    const { table, set, where = {}, all } = change;
    const assigned = Object.entries(set).flatMap(([key, value]) => (value === undefined ? [] : [key]));
    const shape = [table, all, ...assigned.sort(), 'where', ...Object.keys(where).sort()].join(' ');
    const group = groups.get(shape);
    if (group) group.push(change);
    else groups.set(shape, [change]);
  }
  return [...groups.values()];
}

/** Changes of one shape: each has its values once, however many rows it changes. */
function addChanges(
  draft: Draft,
  name: string,
  changes: readonly RowChange[],
  counts: ReadonlyMap<string, number>,
): void {
  const [{ table, set, where = {} } = { table: 'jobs' as const, set: {} }] = changes;
  const sorted = [...changes].sort((a, b) => ((a.ids[0] ?? '') < (b.ids[0] ?? '') ? -1 : 1));
  const list = sorted.map(({ ids, set: values, where: guard }) => ({
    ids,
    next: stored(values),
    was: stored(guard ?? {}),
    raise: counts.get(ids[0] ?? '') ?? 0,
  }));
  const column = (key: string) => `"${storedName(key)}"`;
  const assignments = Object.entries(set).flatMap(([key, value]) =>
    value === undefined ? [] : [`${column(key)} = (c.next).${column(key)}`],
  );
  // A row is changed once in a statement, so this must raise the counter too.
  if (table === 'builds') assignments.push('event_sequence = t.event_sequence + c.raise');
  const guards = Object.keys(where).map((key) => `t.${column(key)} = (c.was).${column(key)}`);
  const rows = changes.reduce((count, { ids }) => count + ids.length, 0);
  // The limit tells the planner how few they are; of a list it would expect a hundred.
  draft.part(
    name,
    `update ${table} t set ${assignments.join(', ')}
      from (select i.id, r.next, r.was, r.raise
        from jsonb_to_recordset(${draft.value(JSON.stringify(list))}::jsonb)
          as r(ids uuid[], next ${table}, was ${table}, raise int)
        cross join unnest(r.ids) as i(id) limit ${draft.value(rows)}) c
      where ${['t.id = c.id', ...guards].join(' and ')}
      returning ${table === 'builds' ? 't.id, t.event_sequence' : 't.id'}`,
  );
}

interface Numbers {
  /** Events of each build. */
  counts: ReadonlyMap<string, number>;
  /** For each event the number of events of its build, and its place among them from 1; zeros without a build. */
  places: readonly (readonly [of: number, number: number])[];
}

function numberEvents(events: readonly EventDraft[]): Numbers {
  const counts = new Map<string, number>();
  const numbers = events.map(({ buildId }) => {
    if (!buildId) return 0;
    const number = (counts.get(buildId) ?? 0) + 1;
    counts.set(buildId, number);
    return number;
  });
  return { counts, places: events.map(({ buildId }, index) => [counts.get(buildId ?? '') ?? 0, numbers[index] ?? 0]) };
}

/** Whether a build `b` may notify somebody without a service: by its `notify`, or by the wish of its creator. */
const notifiesByItself = `(b.notify <> '[]' or b.step_notify
  or exists(select from users u where u.id = b.creator_id and u.build_mail <> 'never'))`;

/**
 * Raises the counters in the order of the builds' ids, in which builds are locked, and inserts the events in their
 * order: the database numbers them as they come (`ordinal`), once the builds are locked.
 */
function addEvents(
  draft: Draft,
  events: readonly EventDraft[],
  numbers: Numbers,
  { inserts, groups }: { inserts: readonly RowInsert[]; groups: readonly RowChange[][] },
): void {
  const ofBuilds = (name: string) => (table: string | undefined, index: number) =>
    table === 'builds' ? [`select id, event_sequence from ${name}${index}`] : [];
  const sources = [
    ...inserts.map(({ table }) => table).flatMap(ofBuilds('insert')),
    ...groups.map(([first]) => first?.table).flatMap(ofBuilds('change')),
  ];
  const changed = new Set([
    ...groups.flat().flatMap(({ table, ids }) => (table === 'builds' ? ids : [])),
    ...inserts.flatMap(({ table, rows }) =>
      table === 'builds' ? (rows as NewRow<'builds'>[]).map(({ id }) => id) : [],
    ),
  ]);
  const raised = [...numbers.counts].filter(([id]) => !changed.has(id)).map(([id, count]) => ({ id, count }));
  const [first, ...others] = raised;
  if (first) {
    // Of a list the planner expects a hundred builds, for which it may read the whole table.
    const oneBuild = () =>
      `set event_sequence = t.event_sequence + ${draft.value(first.count)} where t.id = ${draft.value(first.id)}`;
    const builds = () =>
      `set event_sequence = t.event_sequence + r.count from (
        select b.id, c.count from (
          select id, count from ` +
      `jsonb_to_recordset(${draft.value(JSON.stringify(raised))}::jsonb) as l(id uuid, count ` +
      `int) limit ${draft.value(raised.length)}
        ) c join builds b on b.id = c.id order by b.id for no key update of b
      ) r where t.id = r.id`;
    draft.part(
      'raised',
      `update builds t ${others.length === 0 ? oneBuild() : builds()} returning t.id, t.event_sequence`,
    );
    sources.push('select id, event_sequence from raised');
  }
  draft.part('numbers', sources.join(' union all ') || 'select null::uuid as id, 0 as event_sequence where false');
  const rows = events.map((event, index) => {
    const [of, number] = numbers.places[index] ?? [0, 0];
    return { ...event, of, number, place: index };
  });
  const { common, commonKeys, rows: list } = packRows(rows);
  const from = (key: string) => (commonKeys.has(key) ? 'c' : 'e');
  const typed = `${eventColumns.typed}, "of" int, number int, place int`;
  const ofBuild = `${from('of')}.of`;
  draft.part(
    'written',
    `insert into events (${eventColumns.stored}, sequence)
      select ${eventColumns.names.map((key) => `${from(key)}.${storedName(key)}`).join(', ')},
        coalesce(n.event_sequence, ${ofBuild}) - ${ofBuild} + ${from('number')}.number
      from jsonb_to_recordset(${draft.value(list)}::jsonb) as e(${typed})
      ${commonKeys.size === 0 ? '' : `cross join jsonb_to_record(${draft.value(common)}::jsonb) as c(${typed})`}
      left join numbers n on n.id = ${from('buildId')}.build_id order by e.place`,
  );
  // The statement does not see the builds that it inserts.
  const insertsNotify = inserts.some(
    ({ table, rows }) =>
      table === 'builds' && (rows as NewRow<'builds'>[]).some(({ notify, stepNotify }) => notify?.length || stepNotify),
  );
  // Lists of values, never a join: of a join the planner expects so many rows that it reads all builds.
  const among = (column: string, ids: readonly (string | null | undefined)[]) => {
    const distinct = [...new Set(ids.filter((id) => id != null))];
    return distinct.length === 1
      ? `${column} = ${draft.value(distinct[0])}`
      : `${column} = any(${draft.value(distinct)}::uuid[])`;
  };
  const organizations = events.map(({ organizationId }) => organizationId);
  const of = (table: string, alias: string, condition: string) =>
    `exists(select from ${table} ${alias} where ${condition})`;
  draft.results.push(
    '(select jsonb_object_agg(id::text, event_sequence) from numbers) as numbers',
    `(${[
      of('notification_services', 's', `${among('s.organization_id', organizations)} and s.enabled`),
      of('provider_connections', 'c', among('c.organization_id', organizations)),
      ...(numbers.counts.size > 0
        ? [of('builds', 'b', `${among('b.id', [...numbers.counts.keys()])} and ${notifiesByItself}`)]
        : []),
      ...(insertsNotify ? ['true'] : []),
    ].join(' or ')}) as may_notify`,
  );
}

/** A row with its stored column names, for `jsonb_to_recordset`. */
function stored(row: object): Record<string, unknown> {
  const columns: Record<string, unknown> = {};
  // What is left out is null.
  for (const [key, value] of Object.entries(row))
    if (value !== null && value !== undefined) columns[storedName(key)] = value;
  return columns;
}

function rowsOf(draft: Draft, { stored: list, typed }: typeof outboxColumns, rows: readonly object[]): string {
  return `select ${list} from jsonb_to_recordset(${draft.value(JSON.stringify(rows.map(stored)))}::jsonb) as r(${typed})`;
}
