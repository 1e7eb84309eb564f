import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../request/context.js';
import { largestInteger } from '../../../domain/integer-column.js';
import { limits } from '../../../domain/limits/limits.js';
import { Problem } from '../../../domain/problem.js';
import type { ClusterQueueRow, StackRow } from '../../../entities/database.js';
import { isId } from '../../../core/address.js';
import { defineOperation } from '../../../core/operation.js';
import { findQueueOfStack, findStack, stackInput } from '../../../resources/agents/stacks/find-stack.js';

const wholeNumber = `must be a number from 1 to ${limits.stackJobsPerRequest}`;

const input = stackInput.extend({
  queueKey: z.string().max(limits.nameLength),
  limit: z.number(wholeNumber).int(wholeNumber).min(1, wholeNumber).nullish(),
  after: z.string().max(300).nullish(),
});

/** What a stack needs to know of a job to decide whether it starts an agent for it. */
export interface ScheduledJob {
  id: string;
  priority: number;
  agentQueryRules: string[];
  scheduledAt: Date | null;
  pipeline: { id: string; slug: string };
  build: { id: string; number: number; branch: string };
  step: { key: string | null };
}

export interface ScheduledJobs {
  jobs: ScheduledJob[];
  queue: ClusterQueueRow;
  /** Where the next page begins; null for an empty one. */
  endCursor: string | null;
  hasNextPage: boolean;
}

/** A stack that asks for jobs this often is written down as connected no more often. */
const notedEveryMs = 10_000;

/**
 * GET scheduled-jobs: the jobs of a queue that no agent and no stack has taken, in the order in which agents would be
 * offered them: highest priority first, then oldest. It is a command because it notes that the stack is there.
 */
export const listScheduledJobs = defineOperation({
  name: 'stack.list-scheduled-jobs',
  summary: 'Lists the scheduled jobs of a queue.',
  kind: 'command',
  scope: null,
  access: 'internal',
  audited: false,
  input,
  subject: (context, { stack }) => findStack(context, stack),
  run: async (context, { queueKey, limit, after }, { stack, token }): Promise<ScheduledJobs> => {
    const queue = await findQueueOfStack(context, token, queueKey);
    await noteConnected(context, stack);
    const most = Math.min(limit ?? limits.stackJobsDefault, limits.stackJobsPerRequest);
    const page = await readPage(context, queue, readCursor(after ?? null), most + 1);
    const rows = page.slice(0, most);
    const last = rows.at(-1);
    return {
      jobs: rows.map((row) => ({
        id: row.id,
        priority: row.priority,
        agentQueryRules: row.agentQueryRules,
        scheduledAt: row.runnableAt ?? row.scheduledAt,
        pipeline: { id: row.pipelineId, slug: row.pipelineSlug },
        build: { id: row.buildId, number: row.buildNumber, branch: row.branch },
        step: { key: row.stepKey },
      })),
      queue,
      endCursor: last ? cursorOf(last) : null,
      hasNextPage: page.length > rows.length,
    };
  },
});

async function noteConnected({ db, now }: Context, stack: StackRow): Promise<void> {
  if (stack.disconnectedAt === null && now.getTime() - stack.lastConnectedAt.getTime() < notedEveryMs) return;
  await db
    .updateTable('stacks')
    .set({ lastConnectedAt: now, disconnectedAt: null })
    .where('id', '=', stack.id)
    .execute();
}

/** The place of a job in the order of `jobs_dispatch_index`. */
interface QueueCursor {
  priority: number;
  scheduledAt: Date | null;
  position: number;
  id: string;
}

/** Keyset paging in the order of `jobs_dispatch_index`, whose conditions are repeated so that it is used. */
function readPage({ db }: Context, queue: ClusterQueueRow, after: QueueCursor | null, most: number) {
  let query = db
    .selectFrom('jobs as j')
    .innerJoin('builds as b', 'b.id', 'j.buildId')
    .innerJoin('pipelines as p', 'p.id', 'j.pipelineId')
    .innerJoin('steps as s', 's.id', 'j.stepId')
    .select(['j.id', 'j.priority', 'j.agentQueryRules', 'j.scheduledAt', 'j.runnableAt', 'j.position'])
    .select(['j.pipelineId', 'p.slug as pipelineSlug', 'j.buildId', 'b.number as buildNumber', 'b.branch'])
    .select('s.key as stepKey')
    .where('j.organizationId', '=', queue.organizationId)
    .where('j.clusterQueueId', '=', queue.id)
    .where('j.state', '=', 'scheduled')
    .where('j.type', '=', 'command');
  if (after)
    query = query.where(
      sql<boolean>`(-j.priority::bigint, j.scheduled_at, j.position, j.id) >
        (${-after.priority}::bigint, ${after.scheduledAt?.toISOString()}::timestamptz,
          ${after.position}::int, ${after.id}::uuid)`,
    );
  return query
    .orderBy('j.priority', 'desc')
    .orderBy('j.scheduledAt')
    .orderBy('j.position')
    .orderBy('j.id')
    .limit(most)
    .execute();
}

const cursorOf = ({ priority, scheduledAt, position, id }: QueueCursor): string =>
  Buffer.from([priority, scheduledAt?.getTime() ?? 0, position, id].join(' ')).toString('base64url');

function readCursor(text: string | null): QueueCursor | null {
  if (text === null || text === '') return null;
  const parts = Buffer.from(text, 'base64url').toString('utf8').split(' ');
  const [priority, time, position] = parts.slice(0, 3).map(Number);
  const id = parts[3] ?? '';
  const numbers = [priority, time, position];
  if (parts.length !== 4 || !isId(id) || !numbers.every((each) => Number.isSafeInteger(each)))
    throw new Problem('malformed', 'The cursor in "after" is none of this list');
  const scheduledAt = new Date(time ?? 0);
  if (Number.isNaN(scheduledAt.getTime()) || Math.abs(position ?? 0) > largestInteger)
    throw new Problem('malformed', 'The cursor in "after" is none of this list');
  return { priority: priority ?? 0, scheduledAt, position: position ?? 0, id };
}
