import { z } from 'zod';
import { organizationAddress } from '../../../core/address.js';
import { findOrganization } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import { readCronLine } from '../../../domain/pipelines/cron/cron-line.js';
import { cronline } from '../../../resources/pipelines/schedules/fields.js';

const times = 5;

/** Returns the next five times of a cron line, which need not belong to a schedule; fewer where it ends. */
export const nextScheduleTimes = defineOperation({
  name: 'pipeline-schedule.next-times',
  summary: 'Returns the next times of a cron line.',
  kind: 'query',
  scope: 'read_pipelines',
  access: 'member',
  input: z.object({ organization: organizationAddress, cronline }),
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (context, input): Promise<Date[]> => {
    const read = readCronLine(input.cronline);
    const nextTimes: Date[] = [];
    for (let at = context.now; read.ok && nextTimes.length < times;) {
      const next = read.line.next(at);
      if (!next) break;
      nextTimes.push(next);
      at = next;
    }
    return nextTimes;
  },
});
