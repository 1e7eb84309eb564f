import { z } from 'zod';
import { Problem } from '../../../domain/problem.js';
import { measureLog } from '../../../storage/logs/read-log.js';
import { jobAddress } from '../../../core/address.js';
import { findJob } from '../../../core/find.js';
import { logStore, logView } from '../../../resources/builds/logs/log-store.js';
import { defineOperation } from '../../../core/operation.js';
import { type ReadableLog, readableLog } from '../../../resources/builds/logs/readable-log.js';

/**
 * GET log: returns the log of a command job, also while it runs; empty after its deletion. One that has expired is
 * `gone`.
 */
export const readJobLog = defineOperation({
  name: 'job.log.read',
  summary: 'Returns the log of a job.',
  kind: 'query',
  scope: 'read_build_logs',
  access: 'visible',
  input: z.object({ job: jobAddress }),
  subject: (context, { job }) => findJob(context, job),
  run: async (context, _input, subject): Promise<ReadableLog> => {
    const { job } = subject;
    // Waiters, blocks and triggers write no log: clients expect 404 for them.
    if (job.type !== 'command') throw new Problem('not_found', 'Not Found');
    if (job.logExpiredAt !== null)
      throw new Problem('gone', 'The log has expired: the retention policy of the pipeline deleted it');
    return readableLog(
      context,
      subject,
      await measureLog(logStore(context.services, job.organizationId, context.db), logView(job)),
    );
  },
});
