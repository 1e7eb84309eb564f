import { createHash } from 'node:crypto';
import type DataLoader from 'dataloader';
import { type RawBuilder, sql } from 'kysely';
import { type Actor, anonymous } from '../auth/actor.js';
import type { Context } from './context.js';
import { compiled } from '../database/compiled.js';
import { idIn } from '../database/id-in.js';
import { versionExpression, versionOf } from '../database/row-version.js';
import type { Db } from '../entities/database.js';
import { jobOutlineLines, readJobOutlines } from '../loaders/job-outlines.js';
import { splitLines } from '../loaders/lines.js';
import type { Source, VersionedSource } from '../response-cache/fragment-cache.js';
import type { Loaders } from '../loaders/loaders.js';
import { pipelineCountLines } from '../loaders/pipeline-counts.js';
import { visiblePipelines } from '../loaders/references.js';

export { versionOf };

/** The version of what is absent. */
export const absent = '';

type AnyLoader = DataLoader<string, unknown>;

/** The kind of the sources that a loader reads; the name of the loader says it (`batchLoader`). */
export function kindOf(loader: { name: string | null }, property: string): string {
  return loader.name ?? `value ${property}`;
}

/** The key of a source, which ends in the id of its row. */
export const sourceKey = (kind: string, key: string) => (kind.startsWith('row ') ? key.slice(-36) : key);

/**
 * The version of a value that a loader of this kind has read; undefined if it was read without one.
 */
export function versionOfValue(kind: string, value: unknown): string | undefined {
  if (kind.startsWith('value ')) return digest(JSON.stringify(value ?? null));
  return typeof value === 'object' && value !== null ? versionOf(value) : absent;
}

const digest = (text: string) => (text.length <= 64 ? text : createHash('sha256').update(text).digest('base64'));

/** Present versions of what replies are made of, as one request reads them: one statement for any number of sources. */
export class Versions {
  private readonly known = new Map<string, Map<string, string>>();

  constructor(private readonly context: Context) {}

  /** Takes the version of a row that this request has read. */
  know(kind: string, key: string, version: string): void {
    this.of(kind).set(key, version);
  }

  has({ kind, key }: Source): boolean {
    return this.known.get(kind)?.has(key) ?? false;
  }

  /** Whether a source has this version now; {@link read} must have read it. */
  matches({ kind, key, version }: VersionedSource): boolean {
    return this.known.get(kind)?.get(key) === version;
  }

  /** Reads the versions of sources that are not known yet. */
  async read(sources: readonly Source[]): Promise<void> {
    const unknown = new Map<string, Set<string>>();
    for (const source of sources) {
      if (this.has(source)) continue;
      const keys = unknown.get(source.kind);
      if (keys) keys.add(source.key);
      else unknown.set(source.kind, new Set([source.key]));
    }
    const kinds = [...unknown].sort(([a], [b]) => Number(a > b) - Number(a < b));
    const inRows = kinds.filter(([kind]) => !kind.startsWith('value '));
    const values = kinds.filter(([kind]) => kind.startsWith('value '));
    await Promise.all([
      inRows.length > 0 ? this.readRows(inRows) : undefined,
      ...values.flatMap(([kind, keys]) => [...keys].map((key) => this.readValue(kind, key))),
    ]);
  }

  private async readRows(kinds: readonly (readonly [string, ReadonlySet<string>])[]): Promise<void> {
    const ids = kinds.map(([, keys]) => [...keys]);
    const rows = await statementOf(kinds.map(([kind]) => kind))(this.context, ids);
    const texts = new Map(rows.map(({ kind, lines }) => [kind, lines]));
    for (const [kind, keys] of kinds) {
      const versions = splitLines(texts.get(kind) ?? null);
      for (const key of keys) this.know(kind, key, versions.get(key) ?? absent);
      if (kind.startsWith('jobs ')) for (const line of versions.values()) this.knowJobs(line);
    }
  }

  private knowJobs(line: string): void {
    const [jobs, steps] = [this.of('row jobs'), this.of('row steps')];
    for (const { id, version, stepId, stepVersion } of readJobOutlines(line)) {
      jobs.set(id, version);
      steps.set(stepId, stepVersion);
    }
  }

  private async readValue(kind: string, key: string): Promise<void> {
    const name = kind.slice('value '.length);
    const loader = this.context.load[name as keyof Loaders] as unknown as AnyLoader;
    this.know(kind, key, versionOfValue(kind, await loader.load(key)) ?? absent);
  }

  private of(kind: string): Map<string, string> {
    let versions = this.known.get(kind);
    if (!versions) this.known.set(kind, (versions = new Map()));
    return versions;
  }
}

type Statement = (context: Context, ids: readonly string[][]) => Promise<{ kind: string; lines: string | null }[]>;

const statements = new Map<string, Statement>();
/** Sources are of some ten kinds, of which a reply has a few: there are a few dozen statements. */
const mostStatements = 200;

/** The statement for these kinds of sources: compiled once, unless the rights of the caller are a part of it. */
function statementOf(kinds: readonly string[]): Statement {
  const name = kinds.join(', ');
  const known = statements.get(name);
  if (known) return known;
  const build = (db: Db, actor: Actor, ids: readonly string[][]) => {
    const branches = kinds.map(
      (kind, index) => sql`select ${sql.lit(kind)} as kind, ${linesOf(db, actor, kind, ids[index] ?? [])} as lines`,
    );
    return sql<{ kind: string; lines: string | null }>`${sql.join(branches, sql` union all `)}`;
  };
  const dependsOnRights = kinds.some((kind) => kind.startsWith('references '));
  if (dependsOnRights || statements.size >= mostStatements)
    return async ({ db, actor }, ids) => (await build(db, actor, ids).execute(db)).rows;
  const statement = compiledFor(`versions ${statements.size}`, (db, ids) => build(db, anonymous, ids));
  statements.set(name, statement);
  return statement;
}

function compiledFor(
  name: string,
  build: (db: Db, ids: readonly string[][]) => RawBuilder<{ kind: string; lines: string | null }>,
): Statement {
  const query = compiled<Record<number, string[]>, { kind: string; lines: string | null }>(name, (db, parameters) =>
    build(db, new Proxy([], { get: (_target, index) => parameters[Number(index)] })),
  );
  return ({ db }, ids) => query(db, { ...ids });
}

/** An expression that gives one text: a line for each present source, its id followed by its version. */
function linesOf(db: Db, actor: Actor, kind: string, ids: readonly string[]): RawBuilder<string | null> {
  const [form = '', name = ''] = kind.split(' ', 2);
  const table = sql.table(name);
  switch (form) {
    case 'row':
      return sql`(select string_agg(t.id::text ||
        ${versionExpression('t')}, E'\\n') from ${table} as t where ${idIn('t.id', ids)})`;
    case 'references': {
      const row = referenceRows[name as keyof typeof referenceRows];
      const visible = visiblePipelines(db, actor).select(
        sql<string>`string_agg(${sql.ref(row.id)}::text || ${versionExpression(row.alias)}, E'\\n')`.as('lines'),
      );
      const joined = row.table ? visible.innerJoin(`${row.table} as x`, 'x.pipelineId', 'p.id') : visible;
      return sql`(${joined.where(idIn(row.id, ids))})`;
    }
    case 'set':
      return sql`(select string_agg(s.line, E'\\n') from (select t.build_id::text ||
        string_agg(${versionExpression('t')}, ' ' order by t.key) as line from
          ${table} as t where ${idIn('t.build_id', ids)} group by t.build_id) as s)`;
    case 'jobs':
      return jobOutlineLines(ids, name === 'all');
    case 'counts':
      return pipelineCountLines(ids);
    default:
      throw new Error(`no versions are known of ${kind}`);
  }
}

const referenceRows = {
  pipeline: { table: null, alias: 'p', id: 'p.id' },
  build: { table: 'builds', alias: 'x', id: 'x.id' },
  job: { table: 'jobs', alias: 'x', id: 'x.id' },
} as const;
