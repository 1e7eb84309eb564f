import { sql } from 'kysely';
import { z } from 'zod';
import type { RegistrationActor } from '../../../auth/actor.js';
import type { Context } from '../../../request/context.js';
import { notificationProblem, type NotificationDraft } from '../../../domain/agents/stack.js';
import { limits } from '../../../domain/limits/limits.js';
import type { JobRow } from '../../../entities/database.js';
import { isId } from '../../../core/address.js';
import { hasPipeline } from '../../../database/has-pipeline.js';
import { defineOperation } from '../../../core/operation.js';
import { findStack, stackInput } from '../../../resources/agents/stacks/find-stack.js';

/** One that is wrong is refused by itself, so its shape is not checked here. */
const notification = z.object({ jobId: z.unknown(), detail: z.unknown(), timestamp: z.unknown() });

const input = stackInput.extend({
  notifications: z
    .array(notification, 'must be a list')
    .max(limits.stackNotificationsPerRequest, `may have ${limits.stackNotificationsPerRequest} entries at most`),
});

/** Notifications that were refused: the problem, and the places in the request of those that have it. */
export interface RefusedNotifications {
  error: string;
  indexes: number[];
}

type NotifiedJob = Pick<
  JobRow,
  'id' | 'organizationId' | 'pipelineId' | 'buildId' | 'agentId' | 'createdAt' | 'finishedAt'
> & { stored: number };

/**
 * POST notifications: short words of a stack about jobs, which the history of each job shows. Those that are right are
 * stored even if others are refused. In a few statements for all of them.
 */
export const notifyOfStack = defineOperation({
  name: 'stack.notify',
  summary: 'Stores what a stack says about jobs.',
  kind: 'command',
  scope: null,
  access: 'internal',
  audited: false,
  anyText: true,
  input,
  subject: (context, { stack }) => findStack(context, stack),
  run: async (context, { notifications }, { token }): Promise<RefusedNotifications[]> => {
    const ids = notifications.map(({ jobId }) =>
      typeof jobId === 'string' && isId(jobId) ? jobId.toLowerCase() : null,
    );
    const jobs = await lockNotified(context, token, [...new Set(ids.flatMap((id) => id ?? []))]);
    const refused = new Map<string, number[]>();
    notifications.forEach((each, index) => {
      const draft = draftOf(each);
      const job = jobs.get(ids[index] ?? '') ?? null;
      const problem = notificationProblem(draft, job, {
        now: context.now,
        detailLength: limits.stackNotificationLength,
        perJob: limits.stackNotificationsPerJob,
      });
      if (problem !== null) refused.set(problem, [...(refused.get(problem) ?? []), index]);
      else if (job) record(context, job, draft);
    });
    return [...refused].map(([error, indexes]) => ({ error, indexes }));
  },
});

function draftOf({ detail, timestamp }: z.output<typeof notification>): NotificationDraft {
  const text = typeof detail === 'string' ? detail : null;
  if (timestamp === undefined || timestamp === null || timestamp === '') return { detail: text, timestamp: null };
  const time = new Date(typeof timestamp === 'string' ? timestamp.slice(0, 100) : Number.NaN);
  return { detail: text, timestamp: Number.isNaN(time.getTime()) ? 'invalid' : time };
}

function record(context: Context, job: NotifiedJob, { detail, timestamp }: NotificationDraft): void {
  job.stored += 1;
  context.record({
    organizationId: job.organizationId,
    subject: 'job',
    subjectId: job.id,
    pipelineId: job.pipelineId,
    buildId: job.buildId,
    jobId: job.id,
    type: 'job.stack_notification',
    reason: detail,
    data: timestamp instanceof Date ? { timestamp: timestamp.toISOString() } : null,
  });
}

/** Locks the builds of the jobs, under whose locks events are numbered and counted, and reads the jobs. */
async function lockNotified(
  { db }: Context,
  { organizationId, clusterId }: RegistrationActor,
  ids: readonly string[],
): Promise<Map<string, NotifiedJob>> {
  if (ids.length === 0) return new Map();
  const named = db
    .selectFrom('jobs')
    .where('id', 'in', ids)
    .where('organizationId', '=', organizationId)
    .where('clusterId', '=', clusterId)
    .where('type', '=', 'command')
    .where(hasPipeline('jobs.pipelineId'));
  const builds = await named.select('buildId').distinct().execute();
  if (builds.length === 0) return new Map();
  await db
    .selectFrom('builds')
    .select('id')
    .where(
      'id',
      'in',
      builds.map(({ buildId }) => buildId),
    )
    .orderBy('id')
    .forUpdate()
    .execute();
  const rows = await named
    .select(['id', 'organizationId', 'pipelineId', 'buildId', 'agentId', 'createdAt', 'finishedAt'])
    .select(
      sql<number>`(select count(*)::int from events e where e.job_id = jobs.id and e.type =
        'job.stack_notification')`.as('stored'),
    )
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}
