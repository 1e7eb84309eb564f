import { type RawBuilder, sql } from 'kysely';
import { compileLogPattern, type LogPattern } from '../../../../domain/builds/logs/search/log-pattern.js';
import type { SearchCursor } from '../../../../domain/builds/logs/search/search-cursor.js';
import { limits } from '../../../../domain/limits/limits.js';
import type { RequiredTexts } from '../../../../domain/pipelines/conditions/regexp.js';
import type { JobRow, Row } from '../../../../entities/database.js';
import type { Context } from '../../../../request/context.js';
import { loadOwners } from '../open-logs.js';
import { searchBytes } from './search-log.js';
import { endOf, type FoundInLogs, mostMilliseconds, type SearchedLogs } from './search-logs.js';

/** Extracts that are looked at first: a text that many have is found in few. */
const together = 100;
/** Bytes of extracts that a thread looks through at a time. */
const bytesTogether = 256 * 1024;

export type FoundExtract = Pick<Row<'log_extracts'>, 'jobId' | 'content' | 'places' | 'cluster' | 'decisive'>;

export interface ExtractsSearch {
  /** Null: the line that decided, of each extract. */
  pattern: LogPattern | null;
  /** Most lines. */
  most: number;
  cursor: SearchCursor | null;
  /**
   * The next extracts in order, from one that is named on, at most as many as the number says; null in place of those
   * that do not match.
   */
  nextExtracts: (from: SearchCursor | null, most: number, has: RawBuilder<boolean>) => Promise<NextExtract[]>;
  /** Those of the jobs that the caller may see. */
  loadJobs: (ids: readonly string[]) => Promise<JobRow[]>;
}

export interface NextExtract {
  jobId: string;
  extract: FoundExtract | null;
}

/** A line of an extract that matches, by its index in it. */
interface Match {
  extract: FoundExtract;
  index: number;
}

/**
 * Looks through the extracts of failed jobs in their order until it has found enough, has looked at 20,000, or has
 * taken six seconds: the cursor then goes on where it stopped.
 */
export async function searchExtracts(context: Context, search: ExtractsSearch): Promise<SearchedLogs> {
  const until = performance.now() + mostMilliseconds;
  const has = search.pattern ? mayHave(search.pattern) : sql<boolean>`true`;
  const matches: Match[] = [];
  let { cursor } = search;
  let scannedBytes = 0;
  let looksLeft: number = limits.searchedExtracts;
  for (let most = together; looksLeft > 0; most = Math.min(2 * most, limits.searchedExtractsTogether)) {
    context.request.signal?.throwIfAborted();
    const next = await search.nextExtracts(cursor, Math.min(most, looksLeft), has);
    const last = next.at(-1);
    if (!last) return { matches: await withOwners(context, search, matches), cursor: null, scannedBytes };
    const extracts = next.flatMap(({ extract }) => extract ?? []);
    for (const some of inGroups(extracts)) {
      scannedBytes += some.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
      for (const match of await matchesIn(context, some, search)) {
        if (isGiven(search.cursor, match)) continue;
        matches.push(match);
        if (matches.length >= search.most) {
          const { jobId } = match.extract;
          cursor = { jobId, isWithin: true, offset: 0, line: 0, lastGiven: lineOf(match) };
          return { matches: await withOwners(context, search, matches), cursor, scannedBytes };
        }
      }
    }
    cursor = endOf(last.jobId);
    looksLeft -= next.length;
    if (performance.now() > until) break;
  }
  return { matches: await withOwners(context, search, matches), cursor, scannedBytes };
}

const lineOf = ({ extract, index }: Match): number => extract.places[index]?.[0] ?? 0;

/** Whether a line was in the replies before. */
const isGiven = (cursor: SearchCursor | null, match: Match): boolean =>
  cursor !== null && cursor.isWithin && cursor.jobId === match.extract.jobId && lineOf(match) <= cursor.lastGiven;

function inGroups(extracts: readonly FoundExtract[]): FoundExtract[][] {
  const groups: FoundExtract[][] = [];
  let room = 0;
  for (const extract of extracts) {
    const size = extract.content.length;
    if (room < size || groups.length === 0) {
      groups.push([]);
      room = bytesTogether;
    }
    groups.at(-1)?.push(extract);
    room -= size;
  }
  return groups;
}

/** The lines of extracts that match, in their order. */
async function matchesIn(
  context: Context,
  extracts: readonly FoundExtract[],
  { pattern, most }: ExtractsSearch,
): Promise<Match[]> {
  if (pattern === null) return extracts.map((extract) => ({ extract, index: extract.decisive ?? 0 }));
  const bytes = Buffer.from(extracts.map(({ content }) => content).join('\n'));
  const lines = extracts.flatMap((extract) => extract.places.map((_place, index) => ({ extract, index })));
  // Lines of the reply before match again, and are left out.
  const input = { bytes, pattern, most: most + (extracts[0]?.places.length ?? 0) };
  const { matches } = await searchBytes(context, input);
  return matches.flatMap(({ line }) => lines[line] ?? []);
}

async function withOwners(
  context: Context,
  { loadJobs }: ExtractsSearch,
  matches: readonly Match[],
): Promise<FoundInLogs[]> {
  if (matches.length === 0) return [];
  const jobs = await loadJobs([...new Set(matches.map(({ extract }) => extract.jobId))]);
  const ownerOf = await loadOwners(context, jobs);
  const byId = new Map(jobs.map((job) => [job.id, job]));
  return matches.flatMap((match) => {
    const job = byId.get(match.extract.jobId);
    if (!job) return [];
    const { content, cluster } = match.extract;
    const line = { line: lineOf(match), text: content.split('\n')[match.index] ?? '', isCut: false };
    return [{ ...line, cluster, ...ownerOf(job) }];
  });
}

const ascii = /[\u0000-\u007f]+/g;

/** Whether the extract `x` may have a line that matches: the database looks for texts that each such line has. */
function mayHave(pattern: LogPattern): RawBuilder<boolean> {
  const compiled = compileLogPattern(pattern);
  if (!compiled.ok) return sql`false`;
  const texts = compiled.literal ?? compiled.required;
  return texts === null ? sql`true` : sql<boolean>`(${hasLettersToBecomeAscii} or ${hasTexts(texts)})`;
}

/** The letters beyond ASCII that become ones of ASCII in lower case, where the database leaves them as they are. */
const hasLettersToBecomeAscii = sql<boolean>`(strpos(x.content, '\u0130') > 0 or strpos(x.content, '\u212a') > 0)`;

function hasTexts(texts: RequiredTexts): RawBuilder<boolean> {
  if (typeof texts === 'string')
    return joined(
      (texts.match(ascii) ?? []).map((run) => sql`strpos(lower(x.content collate "C"), ${run.toLowerCase()}) > 0`),
      sql` and `,
    );
  return 'all' in texts ? joined(texts.all.map(hasTexts), sql` and `) : joined(texts.any.map(hasTexts), sql` or `);
}

const joined = (conditions: readonly RawBuilder<boolean>[], by: RawBuilder<unknown>): RawBuilder<boolean> =>
  conditions.length === 0 ? sql`true` : sql<boolean>`(${sql.join(conditions, by)})`;
