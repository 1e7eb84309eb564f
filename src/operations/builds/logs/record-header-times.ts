import { z } from 'zod';
import { readHeaderTimes } from '../../../domain/builds/logs/header-times.js';
import { defineOperation } from '../../../core/operation.js';
import { findHeldJob, requireLiveToken } from '../../../resources/builds/jobs/held-job.js';

/** POST header_times: records when the groups of a log began, for agents that do not timestamp lines. */
export const recordHeaderTimes = defineOperation({
  name: 'job.header-times',
  summary: 'Records the start times of the groups of a log.',
  kind: 'command',
  scope: null,
  access: 'internal',
  audited: false,
  input: z.object({ job: z.string().max(300), body: z.unknown() }),
  subject: (context, { job }) => findHeldJob(context, job),
  run: async (context, { body }, { job }): Promise<void> => {
    requireLiveToken(context, job);
    const rows = [...readHeaderTimes(body)].map(([headerIndex, time]) => ({
      jobId: job.id,
      headerIndex,
      organizationId: job.organizationId,
      nanoseconds: String(time),
    }));
    for (let at = 0; at < rows.length; at += 1000) {
      await context.db
        .insertInto('log_header_times')
        .values(rows.slice(at, at + 1000))
        .onConflict((conflict) =>
          conflict
            .columns(['jobId', 'headerIndex'])
            .doUpdateSet((eb) => ({ nanoseconds: eb.ref('excluded.nanoseconds') })),
        )
        .execute();
    }
  },
});
