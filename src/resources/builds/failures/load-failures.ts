import pLimit from 'p-limit';
import type { Context } from '../../../request/context.js';
import type { Excerpt } from '../../../domain/builds/failures/failure-excerpts.js';
import {
  failureChanges,
  failureReason,
  type JobFailure,
  stepHistory,
} from '../../../domain/builds/failures/job-failure.js';
import { hasScope } from '../../../auth/has-scope.js';
import type { JobRow } from '../../../entities/database.js';
import { explainJobs } from '../explanations/explain-jobs.js';
import { openLogs } from '../logs/open-logs.js';
import { loadExcerpts } from './load-excerpts.js';
import { loadExtracts, noExtract } from './load-extracts.js';
import { loadFailedTests } from './load-failed-tests.js';
import { loadAttempts, loadCompared } from './load-history.js';

/** Logs that are looked through at a time. */
const logsAtATime = 4;

/**
 * Why failed jobs failed, with the same few statements for one and for many; the caller may see the jobs and read
 * their logs. The history of a step, which names other builds, is for callers who may read builds.
 */
export async function loadFailures(context: Context, jobs: readonly JobRow[]): Promise<Map<string, JobFailure>> {
  const { actor, request } = context;
  const readsBuilds = hasScope(actor, 'read_builds', request.surface);
  const [explanations, attempts, tests, excerpts, extracts] = await Promise.all([
    explainJobs(context, jobs),
    loadAttempts(context, readsBuilds ? jobs : []),
    loadFailedTests(context, jobs),
    loadExcerptsOf(context, jobs),
    loadExtracts(context, jobs),
  ]);
  const histories = new Map(
    jobs.map((job) => {
      const [first, ...older] = attempts.get(job.id) ?? [];
      return [job.id, first ? stepHistory([first, ...older]) : null];
    }),
  );
  const passedIds = [...histories.values()].flatMap((history) => history?.lastPassed?.jobId ?? []);
  const compared = await loadCompared(
    context,
    passedIds.length === 0 ? [] : [...jobs.map(({ id }) => id), ...passedIds],
  );
  return new Map(
    jobs.map((job) => {
      const history = histories.get(job.id) ?? null;
      const now = compared.get(job.id) ?? null;
      const before = compared.get(history?.lastPassed?.jobId ?? '') ?? null;
      const failure: JobFailure = {
        exitStatus: job.exitStatus,
        signal: job.signal,
        reason: explanations.get(job.id)?.message ?? failureReason(job),
        since: history?.since ?? null,
        lastPassed: history?.lastPassed ?? null,
        changed: failureChanges(history?.commits ?? [], now, before),
        excerpts: excerpts.get(job.id) ?? [],
        tests: tests.get(job.id) ?? [],
        ...(extracts.get(job.id) ?? noExtract),
      };
      return [job.id, failure];
    }),
  );
}

/** The same of the logs of several jobs, by the ids of the jobs; those whose log has expired have no entry. */
export async function loadExcerptsOf(context: Context, jobs: readonly JobRow[]): Promise<Map<string, Excerpt[]>> {
  const logs = [...(await openLogs(context, jobs)).values()];
  const limit = pLimit(logsAtATime);
  const excerpts = await limit.map(logs, (log) => loadExcerpts(context, log));
  return new Map(logs.map((log, index) => [log.job.id, excerpts[index] ?? []]));
}
