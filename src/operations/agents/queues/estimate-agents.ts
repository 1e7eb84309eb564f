import type { NotNull } from 'kysely';
import { z } from 'zod';
import { defineOperation } from '../../../core/operation.js';
import { idMayDifferMs, lowestIdAt } from '../../../database/ids.js';
import { hasPipeline } from '../../../database/has-pipeline.js';
import { agentsNeeded, type AgentsNeeded } from '../../../domain/agents/agents-needed.js';
import { limits } from '../../../domain/limits/limits.js';
import { readTimeRange } from '../../../domain/time-range.js';
import { findQueue, queueInput, type QueueSubject } from '../../../resources/agents/queues/find-queue.js';

/** The estimate, with the wait in seconds that was wanted and the time in which the jobs were created. */
export interface AgentsEstimate extends AgentsNeeded {
  wait: number;
  from: Date;
  to: Date;
}

const usualWait = 60;
const longestWait = 86_400;

/** GET agents_needed: tells how many agents would have kept the waits of a queue's jobs short. */
export const estimateAgents = defineOperation({
  name: 'queue.estimate-agents',
  summary: 'Tells how many agents would have kept the wait of 95 percent of the jobs of a queue short.',
  kind: 'query',
  scope: 'read_clusters',
  access: 'member',
  refusal: 'sentence',
  input: queueInput.extend({
    wait: z
      .number()
      .int()
      .min(1, 'must be at least 1 second')
      .max(longestWait, `must be at most ${longestWait} seconds`)
      .nullish(),
    from: z.date().nullish(),
    to: z.date().nullish(),
  }),
  subject: (context, input) => findQueue(context, input),
  run: async ({ db, now }, { wait, from, to }, { queue }: QueueSubject): Promise<AgentsEstimate> => {
    const range = readTimeRange({ from, to }, now);
    const rows = await db
      .selectFrom('jobs as j')
      .select(['j.createdAt', 'j.scheduledAt', 'j.runnableAt', 'j.assignedAt', 'j.finishedAt'])
      .where('j.clusterQueueId', '=', queue.id)
      .where('j.id', '>=', lowestIdAt(range.from.getTime() - idMayDifferMs))
      .where('j.id', '<', lowestIdAt(range.to.getTime() + idMayDifferMs))
      .where('j.type', '=', 'command')
      .where('j.createdAt', '>=', range.from)
      .where('j.createdAt', '<', range.to)
      .where('j.assignedAt', 'is not', null)
      .where('j.finishedAt', 'is not', null)
      .$narrowType<{ assignedAt: NotNull; finishedAt: NotNull }>()
      .where(hasPipeline('j.pipelineId'))
      .orderBy('j.id', 'desc')
      .limit(limits.agentsNeededJobs)
      .execute();
    // Of a queue with more jobs, the time since the oldest that was read.
    const oldest = rows.length < limits.agentsNeededJobs ? range.from : (rows.at(-1)?.createdAt ?? range.from);
    const jobs = rows.map(({ createdAt, scheduledAt, runnableAt, assignedAt, finishedAt }) => ({
      readyAt: (runnableAt ?? scheduledAt ?? createdAt).getTime(),
      takenAt: assignedAt.getTime(),
      endedAt: finishedAt.getTime(),
    }));
    const seconds = wait ?? usualWait;
    const rangeMs = range.to.getTime() - oldest.getTime();
    return { ...agentsNeeded(jobs, { waitMs: seconds * 1000, rangeMs }), wait: seconds, from: oldest, to: range.to };
  },
});
