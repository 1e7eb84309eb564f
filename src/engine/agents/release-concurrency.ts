import { sql } from 'kysely';
import type { Context } from '../../request/context.js';
import { concurrencyMemberStates, releasable } from '../../domain/agents/concurrency.js';
import type { JobRow } from '../../entities/database.js';
import { type JobMove, moveJobs } from '../state/jobs.js';

const memberColumns = [
  'id',
  'buildId',
  'organizationId',
  'pipelineId',
  'agentId',
  'type',
  'state',
  'concurrencyGroup',
  'concurrencyLimit',
  'concurrencyMethod',
  'priority',
  'position',
  'createdAt',
] as const;
/** Of a group that is deleted just before it is locked, every time. */
const lockAttempts = 3;

type Member = Pick<JobRow, (typeof memberColumns)[number]>;

/**
 * Gives out the free slots of a concurrency group. Only this changes `limiting` and `limited` jobs to `scheduled`,
 * one transaction at a time for each group, so the group is never above its limit. Builds are locked after the
 * group and never wait for it, so the two locks cannot deadlock.
 */
export async function releaseConcurrency(context: Context, organizationId: string, group: string): Promise<void> {
  await lockGroup(context, organizationId, group);
  const waiting = (await groupMembers(context, organizationId, group)).filter(
    (member) => member.state === 'limiting' || member.state === 'limited',
  );
  if (waiting.length === 0) return;
  const builds = [...new Set(waiting.map((member) => member.buildId))].sort();
  await context.db.selectFrom('builds').select('id').where('id', 'in', builds).orderBy('id').forUpdate().execute();
  // Read again under the locks: a build may have been canceled while we waited for it.
  const current = await groupMembers(context, organizationId, group);
  const released = releasableOf(current);
  const moves = current.flatMap((job): JobMove[] => {
    if (!builds.includes(job.buildId)) return [];
    if (released.has(job.id)) return [{ job, event: 'schedule', reason: 'slot_free' }];
    return job.state === 'limiting' ? [{ job, event: 'limit', reason: 'group_full' }] : [];
  });
  await moveJobs(context, moves);
}

/** The ids of the members that may have a slot now. */
export function releasableOf(current: readonly Member[]): ReadonlySet<string> {
  return new Set(
    releasable(
      current.map((member) => ({
        jobId: member.id,
        buildId: member.buildId,
        state: member.state,
        limit: member.concurrencyLimit ?? 1,
        method: member.concurrencyMethod,
        priority: member.priority,
      })),
    ),
  );
}

/**
 * Locks a concurrency group: nobody else gives out its slots until the transaction ends. Retention deletes rows that no job names, so its row may
 * be gone just before it is locked.
 */
export async function lockGroup({ db }: Context, organizationId: string, group: string): Promise<void> {
  for (let attempt = 1; attempt <= lockAttempts; attempt += 1) {
    await db
      .insertInto('concurrency_groups')
      .values({ organizationId, name: group })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const locked = await db
      .selectFrom('concurrency_groups')
      .select('name')
      .where('organizationId', '=', organizationId)
      .where('name', '=', group)
      .forUpdate()
      .executeTakeFirst();
    if (locked) return;
  }
  throw new Error('a concurrency group could not be locked');
}

/** Jobs of a concurrency group that hold a slot or a place in its queue, in the order of the queue. */
export async function groupMembers(context: Context, organizationId: string, group: string): Promise<Member[]> {
  return context.db
    .selectFrom('jobs')
    .select(memberColumns)
    .where('organizationId', '=', organizationId)
    .where('concurrencyGroup', '=', group)
    .where('state', 'in', [...concurrencyMemberStates])
    .orderBy(sql`coalesce(concurrency_queued_at, scheduled_at)`)
    .orderBy('buildId')
    .orderBy('position')
    .orderBy('id')
    .execute();
}
