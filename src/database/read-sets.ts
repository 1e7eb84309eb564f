import { createHash } from 'node:crypto';
import { CompiledQuery, type DatabaseConnection, type QueryResult } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Db } from '../entities/database.js';
import type { NamedQuery } from './postgres-driver.js';
import { replaceParameters, withoutQuotes } from './statement-text.js';

/** Where a statement was read: a replica gives rows as of a moment ago. */
export type ReadSource = 'primary' | 'replica';

/** A reading statement with a digest of the rows that it returned. */
interface RecordedRead {
  source: ReadSource;
  sql: string;
  parameters: readonly unknown[];
  digest: string;
}

/** A statement that tells whether others would return the same rows now. */
export interface ReadSet {
  sql: string;
  parameters: readonly unknown[];
  /** Under which PostgreSQL keeps the statement parsed; null where it keeps enough others. */
  name: string | null;
  /** Which of the parameters are the present time, whenever it is checked. */
  times: readonly number[];
  /** What the statement returns as long as all of them do. */
  expected: string;
  /** Bytes that it takes in memory, estimated. */
  bytes: number;
  /** The statement for what was read on a replica, which may be asked there again; null if nothing was. */
  late: ReadSet | null;
}

/** Statements of one recording, and characters of their texts together, at most. */
const mostReads = 20;
const longestCheck = 64 * 1024;
/** Checks that PostgreSQL keeps parsed. Each has the texts of some statements, whose values are parameters. */
const mostNames = 200;
const longestNamed = 10_000;

/** Name of a row in the statements made here: no column has it. */
const row = 'recorded_row';
const bytesColumn = 'recorded_bytes';

/** A statement that reads and does nothing else, so that it can stand inside of another one. */
const reads = /^\s*\(?\s*select\b/i;
const doesMore =
  /\bfor\s+(no\s+key\s+)?(update|share|key)\b|\b(insert|delete|merge|nextval|set_config)\b|\bpg_\w+\s*\(|\brandom\s*\(/i;

/** Texts of statements, in characters together. */
const insiders = new LRUCache<string, boolean>({
  max: 1_000,
  maxSize: 2_000_000,
  sizeCalculation: (_can, sql) => sql.length + 1,
});

function canStandInside(sql: string): boolean {
  let can = insiders.get(sql);
  if (can === undefined) {
    // Where a backslash escapes a quote, it is not plain where a literal ends.
    can = !sql.includes("\\'") && reads.test(sql) && !doesMore.test(withoutQuotes(sql));
    insiders.set(sql, can);
  }
  return can;
}

/**
 * Notes the reading statements of a request with what they returned. Rows are compared in PostgreSQL's binary form,
 * which arrives beside them: the digest is that of the very rows that the request saw. It says its own length, so rows
 * need nothing between them, and costs the database half of what their text does, in which times are written out.
 */
export class ReadRecorder {
  private readonly recorded: RecordedRead[] = [];
  private under = 0;
  /** The time that statements have for a parameter, and are checked with the present one for; null if none has. */
  time: Date | null = null;
  /** Why what was recorded cannot be checked; null as long as it can. */
  private reason: string | null = null;

  /** Has nothing come of the recording: the request depends on something that no statement tells. */
  spoil(reason: string): void {
    this.reason ??= reason;
  }

  get spoiledBy(): string | null {
    return this.under > 0 ? 'a statement under way' : this.reason;
  }

  /** The connection, with its statements noted. */
  over(connection: DatabaseConnection, source: ReadSource = 'primary'): DatabaseConnection {
    return {
      executeQuery: (query) => this.execute(connection, query, source),
      streamQuery: (query, size) => {
        this.spoil('a stream');
        return connection.streamQuery(query, size);
      },
    };
  }

  /** The statement that checks all that was recorded; null if that cannot be checked. */
  check(): ReadSet | null {
    if (this.spoiledBy !== null) return null;
    const check = this.checkOf('primary');
    if (!check || !this.recorded.some(({ source }) => source === 'replica')) return check;
    const late = this.checkOf('replica');
    return late && { ...check, late, bytes: check.bytes + late.bytes };
  }

  private checkOf(source: ReadSource): ReadSet | null {
    const parameters: unknown[] = [];
    const reads = this.recorded.filter((each) => each.source === source);
    const digests = reads.map((each) => {
      const before = parameters.length;
      const inside = replaceParameters(each.sql, (number) => `$${number + before}`);
      parameters.push(...each.parameters);
      return (
        `(select encode(sha256(coalesce(string_agg(record_send(${row}), ''::bytea), ''::bytea)), 'hex') ` +
        `from (${inside}) as ${row})`
      );
    });
    const sql = `select concat_ws(' ', ${digests.join(', ')}) as digests`;
    if (sql.length > longestCheck) return null;
    const expected = reads.map(({ digest }) => digest).join(' ');
    const bytes = 2 * expected.length + parameters.reduce<number>((sum, value) => sum + sizeOf(value), 500);
    const times = parameters.flatMap((value, index) => (value === this.time ? [index] : []));
    const shared = sharedText(sql);
    const own = shared.name === null ? sql.length : 0;
    return { ...shared, parameters, times, expected, bytes: bytes + own, late: null };
  }

  private async execute<R>(
    connection: DatabaseConnection,
    query: CompiledQuery,
    source: ReadSource,
  ): Promise<QueryResult<R>> {
    if (this.recorded.length + this.under >= mostReads) this.spoil('many statements');
    if (this.reason === null && !canStandInside(query.sql)) this.spoil('a statement that does more than read');
    if (this.reason !== null) return connection.executeQuery<R>(query);
    const { sql, parameters } = query;
    const wrapped: NamedQuery = {
      ...CompiledQuery.raw(`select ${row}.*, record_send(${row}) as ${bytesColumn} from (${sql}) as ${row}`, [
        ...parameters,
      ]),
      queryId: query.queryId,
    };
    this.under += 1;
    try {
      const result = await connection.executeQuery<R>(wrapped);
      const hash = createHash('sha256');
      for (const each of result.rows) {
        const noted = each as Record<string, Uint8Array>;
        hash.update(noted[bytesColumn]!);
        delete noted[bytesColumn];
      }
      this.recorded.push({ source, sql, parameters, digest: hash.digest('hex') });
      return result;
    } catch (error) {
      this.spoil('a statement that failed');
      throw error;
    } finally {
      this.under -= 1;
    }
  }
}

/** Bytes of a parameter, estimated. */
function sizeOf(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + sizeOf(each), 16);
  return typeof value === 'string' ? 2 * value.length + 16 : 16;
}

const names = new Map<string, { sql: string; name: string }>();

/** The same text for all checks of the same statements, with a name for each of the first ones. */
function sharedText(sql: string): { sql: string; name: string | null } {
  const known = names.get(sql);
  if (known) return known;
  if (names.size >= mostNames || sql.length > longestNamed) return { sql, name: null };
  const named = { sql, name: `recorded ${names.size}` };
  names.set(sql, named);
  return named;
}

/**
 * Whether the recorded statements would return the same rows now: one statement, so all as of one moment. What was read
 * on a replica is asked there by another one.
 *
 * @param late the handle for reads that may be a moment old; the primary if absent
 */
export async function isReadSetValid(
  db: Db,
  check: ReadSet,
  { now, late = db }: { now: Date | null; late?: Db | undefined },
): Promise<boolean> {
  const parts = [isUnchanged(db, check, now), ...(check.late ? [isUnchanged(late, check.late, now)] : [])];
  return (await Promise.all(parts)).every(Boolean);
}

async function isUnchanged(
  db: Db,
  { sql, parameters, times, name, expected }: ReadSet,
  now: Date | null,
): Promise<boolean> {
  if (expected === '') return true;
  const values = [...parameters];
  for (const index of times) values[index] = now;
  const query: NamedQuery = {
    ...CompiledQuery.raw(sql, values),
    ...(name === null ? {} : { statementName: name }),
  };
  const { rows } = await db.executeQuery<{ digests: string }>(query);
  return rows[0]?.digests === expected;
}
