import { sql } from 'kysely';
import type { Context } from '../../../request/context.js';
import { concurrencyMemberStates, slotHoldingStates } from '../../../domain/agents/concurrency.js';
import type { GroupMember } from '../../../domain/builds/explanations/group-explanation.js';
import { limits } from '../../../domain/limits/limits.js';
import type { JobRow } from '../../../entities/database.js';
import { group } from '../../../loaders/batch-loader.js';

/** Key of a job's concurrency group in {@link loadGroups}. */
export const groupKey = ({ organizationId, concurrencyGroup }: Pick<JobRow, 'organizationId' | 'concurrencyGroup'>) =>
  `${organizationId} ${concurrencyGroup}`;

/**
 * Loads, of the concurrency groups of these jobs, the holders of slots and the front of the queue, in queue order, in
 * one statement.
 */
export async function loadGroups(context: Context, jobs: readonly JobRow[]): Promise<Map<string, GroupMember[]>> {
  const groups = [...new Map(jobs.map((job) => [groupKey(job), job])).values()];
  if (groups.length === 0) return new Map();
  const organizations = groups.map(({ organizationId }) => organizationId);
  const names = groups.map(({ concurrencyGroup }) => concurrencyGroup);
  const members = sql`j.organization_id = named.organization_id and j.concurrency_group = named.name and j.state
    in (${sql.join(concurrencyMemberStates)})`;
  const holds = sql`j.state in (${sql.join(slotHoldingStates)})`;
  const order = sql`coalesce(j.concurrency_queued_at, j.scheduled_at), j.build_id, j.position, j.id`;
  const { rows } = await sql<GroupMember & { organizationId: string; concurrencyGroup: string }>`
    select member.* from unnest(${organizations}::uuid[], ${names}::text[]) as named(organization_id, name) cross
      join lateral (
      select j.id, j.build_id, j.state, j.organization_id, j.concurrency_group from jobs j
      where ${members} order by ${holds} desc, ${order} limit ${limits.explainedGroupMembers}
    ) as member`.execute(context.db);
  return group(rows, groupKey);
}
