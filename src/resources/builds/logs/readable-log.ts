import type { Context } from '../../../request/context.js';
import type { JobSubject } from '../../../core/subject.js';
import { mergeHeaderTimes } from '../../../domain/builds/logs/header-times.js';
import type { LogStore } from '../../../storage/logs/chunk-index.js';
import { scanHeaders } from '../../../storage/logs/forms.js';
import type { LogView } from '../../../storage/logs/read-log.js';
import { logStore, logView } from './log-store.js';

/** The job of a log with its owners. */
export type LogOwner = Pick<JobSubject, 'organization' | 'pipeline' | 'build' | 'job'>;

/** A job's log, ready to be streamed in any of its forms; nothing of it is in memory yet. */
export interface ReadableLog extends LogOwner {
  store: LogStore;
  view: LogView;
  /** Bytes of the readable log when it was opened. */
  size: number;
  /** Times of the group headers in order, in nanoseconds since the epoch; they exceed the precision of a double. */
  headerTimes(): Promise<bigint[]>;
}

/** Opens the log of a job for the request; `size` is that of its readable bytes. */
export function readableLog(context: Context, owner: LogOwner, size: number): ReadableLog {
  const { job } = owner;
  const store = logStore(context.services, job.organizationId, context.db);
  const view = logView(job);
  const headerTimes = async () => {
    const { headerTimes: marked } = await scanHeaders(store, view, undefined, size);
    const sent = await context.db
      .selectFrom('log_header_times')
      .select(['headerIndex', 'nanoseconds'])
      .where('jobId', '=', job.id)
      .execute();
    return mergeHeaderTimes(marked, new Map(sent.map((row) => [row.headerIndex, BigInt(row.nanoseconds)])));
  };
  return { ...owner, store, view, size, headerTimes };
}
