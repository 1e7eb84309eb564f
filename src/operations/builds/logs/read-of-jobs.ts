import { z } from 'zod';
import { defineOperation } from '../../../core/operation.js';
import type { EverywhereSubject } from '../../../core/subject.js';
import { visibleCommandJobs } from '../../../resources/builds/jobs/visible-jobs.js';
import { openLogs } from '../../../resources/builds/logs/open-logs.js';
import type { ReadableLog } from '../../../resources/builds/logs/readable-log.js';

/**
 * Opens and measures the logs of several command jobs. Jobs that the caller may not see, and those without a log or
 * with one that has expired, have no entry.
 */
export const readLogsOfJobs = defineOperation({
  name: 'job.log.read-of-jobs',
  summary: 'Returns the logs of several jobs at once.',
  kind: 'query',
  batchOf: 'job.log.read',
  scope: 'read_build_logs',
  access: 'visible',
  input: z.object({ jobIds: z.array(z.uuid()).max(10_000) }),
  subject: async (): Promise<EverywhereSubject> => ({ everywhere: true }),
  run: async (context, { jobIds }): Promise<Map<string, ReadableLog>> =>
    openLogs(context, await visibleCommandJobs(context, jobIds)),
});
