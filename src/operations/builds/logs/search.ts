import pLimit, { type LimitFunction } from 'p-limit';
import { type SelectQueryBuilder, sql } from 'kysely';
import { z } from 'zod';
import { organizationAddress } from '../../../core/address.js';
import { findOrganization, findPipeline, pipelineOfRowIsVisible } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import type { OrganizationSubject } from '../../../core/subject.js';
import { compileLogPattern } from '../../../domain/builds/logs/search/log-pattern.js';
import { type RequiredTrigrams, requiredTrigrams } from '../../../domain/builds/logs/search/required-trigrams.js';
import {
  decodeSearchCursor,
  encodeSearchCursor,
  type SearchCursor,
  searchCursorLength,
} from '../../../domain/builds/logs/search/search-cursor.js';
import { text } from '../../../domain/input-text.js';
import { limits } from '../../../domain/limits/limits.js';
import { likePattern } from '../../../domain/pipelines/branch-pattern.js';
import { Problem } from '../../../domain/problem.js';
import type { Database, JobRow, OrganizationRow } from '../../../entities/database.js';
import type { Context } from '../../../request/context.js';
import { filterLogs, type NextLog } from '../../../resources/builds/logs/search/filtered-logs.js';
import { type FoundInLogs, searchLogs } from '../../../resources/builds/logs/search/search-logs.js';
import type { Services } from '../../../services/services.js';
import { filterJobs, jobFilters } from '../jobs/list.js';

const word = text(limits.filterLength).nullish();

const input = z.object({
  organization: organizationAddress,
  /** Text of the lines, in any case; with `regexp` a regular expression. */
  q: text(limits.regexpLength),
  regexp: z.boolean().default(false),
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
 * GET logs/search: finds lines in the logs of an organization's jobs, from the newest job to the oldest. One request
 * looks through a bounded part of them; the cursor goes on. Every page asks anew what the caller may see.
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
    if (filters.q.trim() === '') throw new Problem('invalid', 'q: a text to find is needed');
    const pattern = { text: filters.q, isRegexp: filters.regexp };
    const compiled = compileLogPattern(pattern);
    if (!compiled.ok) throw new Problem('malformed', `q: ${compiled.message}`);
    const cursor = filters.cursor ? decodeSearchCursor(filters.cursor) : null;
    if (filters.cursor && !cursor) throw new Problem('malformed', 'The cursor is none of a search of logs');
    const { pipeline: slug } = filters;
    const only = slug ? await findPipeline(context, { organization: organization.slug, slug }) : null;
    const ofNobody = slug && !only;
    const jobs = () =>
      jobsWithLogs(context, { ...filters, organizationId: organization.id, pipelineId: only?.pipeline.id ?? null });
    const trigrams = requiredTrigrams(pattern);
    const result = await inTurn(context.services, () =>
      searchLogs(context, {
        pattern,
        most: filters.perPage,
        cursor,
        nextLogs: async (from, most) => (ofNobody ? [] : nextLogs(context, jobs(), { from, most, trigrams })),
        loadJobs: (ids) => loadJobs(jobs(), ids),
      }),
    );
    return {
      organization,
      matches: result.matches,
      cursor: result.cursor && encodeSearchCursor(result.cursor),
      scannedBytes: result.scannedBytes,
      complete: result.cursor === null,
    };
  },
});

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

/** The jobs with logs that match and whose pipelines the caller may see. */
function jobsWithLogs(
  context: Context,
  filters: Filters & { organizationId: string; pipelineId: string | null },
): Jobs<object> {
  const { organizationId, pipelineId, branch, step, shownStates, states, passed, createdFrom, createdTo } = filters;
  let query: Jobs<object> = context.db
    .selectFrom('jobs as j')
    .where('j.organizationId', '=', organizationId)
    .where('j.type', '=', 'command')
    .where('j.logSize', '>', 0)
    .where('j.logExpiredAt', 'is', null)
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
