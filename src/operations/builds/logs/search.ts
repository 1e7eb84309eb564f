import pLimit, { type LimitFunction } from 'p-limit';
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { z } from 'zod';
import { organizationAddress } from '../../../core/address.js';
import { findOrganization, findPipeline, pipelineOfRowIsVisible } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import { idMayDifferMs, lowestIdAt } from '../../../database/ids.js';
import type { OrganizationSubject } from '../../../core/subject.js';
import { compileLogPattern, type LogPattern } from '../../../domain/builds/logs/search/log-pattern.js';
import { type RequiredTrigrams, requiredTrigrams } from '../../../domain/builds/logs/search/required-trigrams.js';
import {
  decodeSearchCursor,
  encodeSearchCursor,
  type SearchCursor,
  searchCursorLength,
} from '../../../domain/builds/logs/search/search-cursor.js';
import { logSearchPlaces } from '../../../domain/builds/logs/search/search-places.js';
import { text } from '../../../domain/input-text.js';
import { limits } from '../../../domain/limits/limits.js';
import { likePattern } from '../../../domain/pipelines/branch-pattern.js';
import { Problem } from '../../../domain/problem.js';
import type { Database, JobRow, OrganizationRow } from '../../../entities/database.js';
import type { Context } from '../../../request/context.js';
import { showsExtract } from '../../../resources/builds/failures/load-extracts.js';
import { filterLogs, type NextLog } from '../../../resources/builds/logs/search/filtered-logs.js';
import {
  type FoundExtract,
  type NextExtract,
  searchExtracts,
} from '../../../resources/builds/logs/search/search-extracts.js';
import { type FoundInLogs, type SearchedLogs, searchLogs } from '../../../resources/builds/logs/search/search-logs.js';
import type { Services } from '../../../services/services.js';
import { filterJobs, jobFilters } from '../jobs/list.js';

const word = text(limits.filterLength).nullish();

const input = z.object({
  organization: organizationAddress,
  /** Text of the lines, in any case; with `regexp` a regular expression. Extracts may be asked for by cluster alone. */
  q: text(limits.regexpLength).default(''),
  regexp: z.boolean().default(false),
  /** Whole logs, or what is kept of those of failed jobs. */
  in: z.enum(logSearchPlaces).default('logs'),
  /** Hash of a failure: only extracts of jobs that failed alike. */
  cluster: z
    .string()
    .regex(/^[0-9a-f]{32}$/, 'must be 32 hexadecimal digits')
    .nullish(),
  /** Slug of the pipeline. */
  pipeline: word,
  /** Branch of the builds, with `*` for any characters. */
  branch: word,
  shownStates: jobFilters.shape.shownStates,
  states: jobFilters.shape.states,
  passed: jobFilters.shape.passed,
  /** Key or label of the step. */
  step: word,
  createdFrom: z.date().nullish(),
  createdTo: z.date().nullish(),
  perPage: z.number().int().min(1).max(100).default(30),
  cursor: z.string().max(searchCursorLength).nullish(),
});
type Filters = z.output<typeof input>;

/** Result of a search: the matching lines, and where it goes on. */
export interface LogSearch {
  organization: OrganizationRow;
  matches: FoundInLogs[];
  cursor: string | null;
  scannedBytes: number;
  complete: boolean;
}

/** Searches of a process at a time, and those that wait for their turn. */
const atATime = 2;
const mostWaiting = 8;
const turns = new WeakMap<Services, LimitFunction>();

/**
 * GET logs/search: finds lines in the logs of an organization's jobs, or in the extracts of failed ones, of the newest
 * job first. One request looks through a bounded part of them; the cursor goes on. Every page asks anew what the caller
 * may see.
 */
export const searchOrganizationLogs = defineOperation({
  name: 'log.search',
  summary: 'Finds lines in the logs of jobs, newest first.',
  kind: 'query',
  scope: 'read_build_logs',
  access: 'visible',
  input,
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (context, filters, { organization }: OrganizationSubject): Promise<LogSearch> => {
    // After the organization was found: strangers learn nothing of it, whatever they ask.
    const pattern = readPattern(filters);
    const cursor = filters.cursor ? decodeSearchCursor(filters.cursor) : null;
    if (filters.cursor && !cursor) throw new Problem('malformed', 'The cursor is none of a search of logs');
    const { pipeline: slug, perPage: most } = filters;
    const only = slug ? await findPipeline(context, { organization: organization.slug, slug }) : null;
    const ofNobody = slug && !only;
    const within: Within = { ...filters, organizationId: organization.id, pipelineId: only?.pipeline.id ?? null };
    const result = await inTurn(context.services, async () => {
      if (ofNobody) return nothing;
      if (pattern !== null && filters.in === 'logs') return inLogs(context, within, { pattern, most, cursor });
      return inExtracts(context, within, { pattern, most, cursor });
    });
    return {
      organization,
      matches: result.matches,
      cursor: result.cursor && encodeSearchCursor(result.cursor),
      scannedBytes: result.scannedBytes,
      complete: result.cursor === null,
    };
  },
});

const nothing: SearchedLogs = { matches: [], cursor: null, scannedBytes: 0 };

/** What is looked for; null for whatever the extracts of a cluster have. Throws for what cannot be. */
function readPattern({ q, regexp, in: place, cluster }: Filters): LogPattern | null {
  if (cluster && place === 'logs') throw new Problem('invalid', 'cluster: only a search in extracts has clusters');
  if (q.trim() === '') {
    if (cluster) return null;
    throw new Problem('invalid', 'q: a text to find is needed');
  }
  const pattern = { text: q, isRegexp: regexp };
  const compiled = compileLogPattern(pattern);
  if (!compiled.ok) throw new Problem('malformed', `q: ${compiled.message}`);
  return pattern;
}

type Within = Filters & { organizationId: string; pipelineId: string | null };

interface Search<Pattern> {
  pattern: Pattern;
  most: number;
  cursor: SearchCursor | null;
}

function inLogs(context: Context, within: Within, search: Search<LogPattern>): Promise<SearchedLogs> {
  const trigrams = requiredTrigrams(search.pattern);
  const jobs = () => jobsWithLogs(context, within);
  return searchLogs(context, {
    ...search,
    nextLogs: (from, most) => nextLogs(context, jobs(), { from, most, trigrams }),
    loadJobs: (ids) => loadJobs(jobs(), ids),
  });
}

function inExtracts(context: Context, within: Within, search: Search<LogPattern | null>): Promise<SearchedLogs> {
  const jobs = () => filteredJobs(context, within).where(showsExtract);
  return searchExtracts(context, {
    ...search,
    nextExtracts: (from, most, has) => nextExtracts(context, within, { jobs: jobs(), from, most, has }),
    loadJobs: (ids) => loadJobs(jobs(), ids),
  });
}

/** Throws `unavailable` when too many searches are already waiting. */
function inTurn<T>(services: Services, search: () => Promise<T>): Promise<T> {
  const turn = turns.get(services) ?? pLimit(atATime);
  turns.set(services, turn);
  if (turn.pendingCount >= mostWaiting)
    throw new Problem('unavailable', 'Too many searches are waiting; try again shortly', { retryAfter: 5 });
  return turn(search);
}

type Jobs<Row> = SelectQueryBuilder<Database & { j: Database['jobs'] }, 'j', Row>;

/** The next logs from the newest job to the oldest, with what filters say of them. */
async function nextLogs(
  { db }: Context,
  jobs: Jobs<object>,
  { from, most, trigrams }: { from: SearchCursor | null; most: number; trigrams: RequiredTrigrams | null },
): Promise<NextLog[]> {
  const after = from ? jobs.where('j.id', from.isWithin ? '<=' : '<', from.jobId) : jobs;
  const next = after.select(['j.id', 'j.logSize']).orderBy('j.id', 'desc').limit(most);
  if (trigrams) return filterLogs(db, next, trigrams);
  return (await next.execute()).map(({ id }) => ({ jobId: id, parts: null }));
}

/**
 * The next extracts from the newest job to the oldest, of pipelines that the caller may see: so many are looked at,
 * however few of them match.
 */
async function nextExtracts(
  context: Context,
  { organizationId, pipelineId, cluster, createdFrom, createdTo }: Within,
  { jobs, from, most, has }: { jobs: Jobs<object>; from: SearchCursor | null; most: number; has: RawBuilder<boolean> },
): Promise<NextExtract[]> {
  let window = context.db
    .selectFrom('log_extracts as x')
    .select(['x.jobId', 'x.content', 'x.places', 'x.cluster', 'x.decisive'])
    .where('x.organizationId', '=', organizationId)
    .where(pipelineOfRowIsVisible(context, 'x.pipelineId', organizationId));
  if (pipelineId !== null) window = window.where('x.pipelineId', '=', pipelineId);
  if (cluster) window = window.where('x.cluster', '=', cluster);
  if (from) window = window.where('x.jobId', from.isWithin ? '<=' : '<', from.jobId);
  if (createdFrom) window = window.where('x.jobId', '>=', lowestIdAt(createdFrom.getTime() - idMayDifferMs));
  if (createdTo) window = window.where('x.jobId', '<', lowestIdAt(createdTo.getTime() + idMayDifferMs));
  const newest = window.orderBy('x.jobId', 'desc').limit(most);
  // Lateral, so that it is asked once of each whether it matches.
  const { rows } = await sql<Omit<FoundExtract, 'content'> & { content: string | null }>`
    select x.job_id, x.cluster, x.decisive, m.content, m.places from (${newest}) as x
    left join lateral (
      select x.content, x.places
      where ${has} and exists (${jobs.select('j.id').where(sql<boolean>`j.id = x.job_id`)})
    ) as m on true
    order by x.job_id desc`.execute(context.db);
  return rows.map(({ content, ...extract }) => ({
    jobId: extract.jobId,
    extract: content === null ? null : { ...extract, content },
  }));
}

/** The jobs with logs that match and whose pipelines the caller may see. */
const jobsWithLogs = (context: Context, within: Within): Jobs<object> =>
  filteredJobs(context, within).where('j.logSize', '>', 0).where('j.logExpiredAt', 'is', null);

function filteredJobs(context: Context, within: Within): Jobs<object> {
  const { organizationId, pipelineId, branch, step, shownStates, states, passed, createdFrom, createdTo } = within;
  let query: Jobs<object> = context.db
    .selectFrom('jobs as j')
    .where('j.organizationId', '=', organizationId)
    .where('j.type', '=', 'command')
    .where(pipelineOfRowIsVisible(context, 'j.pipelineId', organizationId));
  if (pipelineId !== null) query = query.where('j.pipelineId', '=', pipelineId);
  if (branch)
    query = query.where(
      sql<boolean>`exists (select from builds b where b.id = j.build_id and b.branch like ${likePattern(branch)})`,
    );
  if (step)
    query = query.where(
      sql<boolean>`exists (select from steps s where s.id = j.step_id and (s.key = ${step} or s.label = ${step}))`,
    );
  const ofJobs = jobFilters.parse({ shownStates, states, passed, createdFrom, createdTo });
  return filterJobs(context, query, ofJobs);
}

const loadJobs = (jobs: Jobs<object>, ids: readonly string[]): Promise<JobRow[]> =>
  jobs.selectAll('j').where('j.id', 'in', ids).execute();
