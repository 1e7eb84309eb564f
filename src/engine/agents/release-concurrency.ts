import { sql } from 'kysely';
import { jobExpiryMinutes } from '../../domain/builds/job-expiry.js';
import type { Context } from '../../context.js';
import { concurrencyMemberStates, releasable } from '../../domain/agents/concurrency.js';
import type { JobRow } from '../../entities/database.js';
import { recordJobChange } from '../builds/apply-changes.js';
import { jobPatch } from '../builds/job-patch.js';

const memberColumns = [
  'id',
  'buildId',
  'organizationId',
  'pipelineId',
  'agentId',
  'state',
  'concurrencyLimit',
  'concurrencyMethod',
  'priority',
  'position',
  'createdAt',
] as const;
type Member = Pick<JobRow, (typeof memberColumns)[number]>;

/**
 * Gives out the free slots of a concurrency group. Only this changes `limiting` and `limited` jobs to `scheduled`,
 * one transaction at a time for each group, so the group is never above its limit. Builds are locked after the
 * group and never wait for it, so the two locks cannot deadlock.
 */
export async function releaseConcurrency(context: Context, organizationId: string, group: string): Promise<void> {
  await context.db
    .insertInto('concurrency_groups')
    .values({ organizationId, name: group })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await context.db
    .selectFrom('concurrency_groups')
    .select('name')
    .where('organizationId', '=', organizationId)
    .where('name', '=', group)
    .forUpdate()
    .execute();
  const waiting = (await members(context, organizationId, group)).filter(
    (member) => member.state === 'limiting' || member.state === 'limited',
  );
  if (waiting.length === 0) return;
  const builds = [...new Set(waiting.map((member) => member.buildId))].sort();
  await context.db.selectFrom('builds').select('id').where('id', 'in', builds).orderBy('id').forUpdate().execute();
  // Read again under the locks: a build may have been canceled while we waited for it.
  const current = await members(context, organizationId, group);
  const released = new Set(
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
  const expiryMs =
    ((await context.load.organization.load(organizationId))?.scheduledJobExpiryInMinutes ?? jobExpiryMinutes) * 60_000;
  for (const member of current) {
    if (!builds.includes(member.buildId)) continue;
    if (released.has(member.id)) await move(context, member, 'scheduled', 'slot_free', expiryMs);
    else if (member.state === 'limiting') await move(context, member, 'limited', 'group_full', expiryMs);
  }
}

async function members(context: Context, organizationId: string, group: string): Promise<Member[]> {
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

async function move(
  context: Context,
  member: Member,
  to: 'scheduled' | 'limited',
  reason: string,
  expiryMs: number,
): Promise<void> {
  const patch = jobPatch(to, {
    now: context.now,
    since: member.createdAt,
    expiresAt: new Date(member.createdAt.getTime() + expiryMs),
  });
  await context.db
    .updateTable('jobs')
    .set(patch)
    .where('id', '=', member.id)
    .where('state', '=', member.state)
    .execute();
  recordJobChange(context, member, to === 'scheduled' ? 'schedule' : 'limit', to, reason);
}
