/** What a statement of a program relies on in a schema, by the name of the thing. */
export interface SchemaFacts {
  /** `table.column` to its type, whether it may be null, and whether rows may be inserted without it. */
  columns: Map<string, { type: string; nullable: boolean; optional: boolean }>;
  /** Uniques, checks and foreign keys by table and definition; the primary key too. */
  constraints: Set<string>;
}

type Query = <T>(text: string) => Promise<T[]>;

/** Reads the facts of the schema `public`. */
export async function readSchemaFacts(query: Query): Promise<SchemaFacts> {
  const columns = await query<{ name: string; type: string; nullable: boolean; optional: boolean }>(`
    select c.relname || '.' || a.attname as name, format_type(a.atttypid, a.atttypmod) as type, not a.attnotnull as nullable,
      not a.attnotnull or a.atthasdef or a.attidentity <> '' as optional
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped`);
  const constraints = await query<{ name: string }>(`
    select c.relname || ': ' || pg_get_constraintdef(o.oid) as name
    from pg_constraint o join pg_class c on c.oid = o.conrelid
    where c.relnamespace = 'public'::regnamespace and o.contype in ('c', 'f', 'u', 'x', 'p')
    union select c.relname || ': ' || regexp_replace(pg_get_indexdef(i.indexrelid), '^.* USING ', 'unique index ')
    from pg_index i join pg_class c on c.oid = i.indrelid
    where c.relnamespace = 'public'::regnamespace and i.indisunique
      and not exists (select 1 from pg_constraint o where o.conindid = i.indexrelid)`);
  return {
    columns: new Map(columns.map(({ name, ...column }) => [name, column])),
    constraints: new Set(constraints.map(({ name }) => name)),
  };
}

/**
 * What a program that was made for the schema `before` cannot do any more with the schema `after`: each as `what:
 * table.column` or `what: table: definition`. New tables break nothing.
 */
export function brokenBy(before: SchemaFacts, after: SchemaFacts): string[] {
  const tables = new Set([...before.columns.keys()].map((name) => name.split('.')[0]));
  const gone = [...before.columns.keys()].filter((name) => !after.columns.has(name));
  const changed = [...before.columns].flatMap(([name, column]) => {
    const now = after.columns.get(name);
    if (!now) return [];
    return [
      ...(now.type === column.type ? [] : [`has another type: ${name}`]),
      ...(column.nullable && !now.nullable ? [`must not be null any more: ${name}`] : []),
      ...(!column.nullable && now.nullable ? [`may be null now: ${name}`] : []),
      ...(column.optional && !now.optional && !column.nullable ? [`has no default any more: ${name}`] : []),
    ];
  });
  const required = [...after.columns].filter(
    ([name, { optional }]) => !before.columns.has(name) && tables.has(name.split('.')[0]) && !optional,
  );
  const stricter = [...after.constraints].filter(
    (name) => !before.constraints.has(name) && tables.has(name.split(':')[0]),
  );
  return [
    ...gone.map((name) => `is gone: ${name}`),
    ...changed,
    ...required.map(([name]) => `is new and must be given: ${name}`),
    ...stricter.map((name) => `is refused now: ${name}`),
  ].sort();
}
