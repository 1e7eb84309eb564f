import { z } from 'zod';
import { mergeHeaderTimes } from '../../domain/logs/header-times.js';
import { Problem } from '../../domain/problem.js';
import { type LogStore } from '../../storage/logs/chunk-index.js';
import { scanHeaders } from '../../storage/logs/forms.js';
import { type LogView, measureLog } from '../../storage/logs/read-log.js';
import { jobAddress } from '../address.js';
import { findJob } from '../find.js';
import { logStore, logView } from '../logs/log-store.js';
import { defineOperation } from '../operation.js';
import type { JobSubject } from '../subject.js';

/** A job's log, ready to be streamed in any of its forms; nothing of it is in memory yet. */
export interface ReadableLog extends JobSubject {
  store: LogStore;
  view: LogView;
  /** Bytes of the readable log when it was opened. */
  size: number;
  /** Times of the group headers in order, nanoseconds since the epoch; past what a double holds. */
  headerTimes(): Promise<bigint[]>;
}

/** GET log (api-v2.md): of a command job, also while it runs; after its deletion it is empty. */
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
    // Waiters, blocks and triggers write no log: clients expect 404 for them (compatibility 23).
    if (job.type !== 'command') throw new Problem('not_found', 'Not Found');
    const store = logStore(context.services, job.organizationId);
    const view = logView(job);
    const size = await measureLog(store, view);
    const headerTimes = async () => {
      const { found } = await scanHeaders(store, view, undefined, size);
      const sent = await context.db.selectFrom('log_header_times').select(['headerIndex', 'nanoseconds']).where('jobId', '=', job.id).execute();
      return mergeHeaderTimes(found, new Map(sent.map((row) => [row.headerIndex, BigInt(row.nanoseconds)])));
    };
    return { ...subject, store, view, size, headerTimes };
  },
});
