import { sql } from 'kysely';
import { liveAgentStates } from '../../../domain/agents/agent-state.js';
import { agentHeldStates } from '../../../domain/builds/job-state.js';
import { limits } from '../../../domain/limits/limits.js';
import type { Db } from '../../../entities/database.js';
import type { DoomedRows } from '../../deletions/delete-some.js';

const dayMs = 86_400_000;

/** The time before which what is kept for so many days is old. */
export const oldBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * dayMs);

/** Ended runs of a suite from before a time, after the one with an id, oldest first; ids are in the order of time. */
export async function oldRuns(db: Db, suiteId: string, before: Date, after: string | null, most: number) {
  const rows = await db
    .selectFrom('suite_runs')
    .select(['id', 'createdAt', 'state'])
    .where('suiteId', '=', suiteId)
    .$if(after !== null, (query) => query.where('id', '>', after ?? ''))
    .orderBy('id')
    .limit(most)
    .execute();
  const old = rows.filter(({ createdAt }) => createdAt < before);
  return {
    ids: old.filter(({ state }) => state === 'finished').map(({ id }) => id),
    last: old.at(-1)?.id ?? null,
    isOver: old.length < most,
  };
}

/** Audit events of an organization, or of none, from before a time. */
export const oldAuditEvents = (organizationId: string | null, before: Date): DoomedRows => ({
  table: 'audit_events',
  // What provisioning has created must be remembered, or it would create again what was deleted since.
  where: sql`organization_id is not distinct from ${organizationId}::uuid and created_at < ${before}::timestamptz
    and operation <> 'provisioning.apply'`,
});

/** Ids of the next agents after one, and those of them that have been gone since before a time and hold no job. */
export async function agentsAfter(db: Db, after: string | null, before: Date, most: number) {
  const { rows } = await sql<{ id: string; isGone: boolean }>`
    select a.id, connection_state <> all(${sql.val([...liveAgentStates])}::text[])
      and greatest(heartbeat_at, disconnected_at, lost_at, last_job_finished_at) < ${before}::timestamptz
      and not exists (select from jobs j where j.agent_id = a.id and j.state = any(
        ${sql.val([...agentHeldStates])}::text[])) as is_gone
    from agents a where ${after}::uuid is null or a.id > ${after}::uuid order by a.id limit ${most}`.execute(db);
  return {
    gone: rows.filter(({ isGone }) => isGone).map(({ id }) => id),
    last: rows.at(-1)?.id ?? null,
    isOver: rows.length < most,
  };
}

/** Those of these agents that are still gone: a lost one comes back with its next heartbeat. */
export const goneAgents = (ids: readonly string[], before: Date): DoomedRows => ({
  table: 'agents',
  where: sql`id = any(${sql.val([...ids])}::uuid[]) and connection_state <> all(
    ${sql.val([...liveAgentStates])}::text[]) and heartbeat_at < ${before}::timestamptz`,
});

/** The next concurrency groups after one, and those of them that no job names any more. */
export async function groupsAfter(db: Db, after: string | null, most: number) {
  const [organizationId, name] = after === null ? [null, null] : (JSON.parse(after) as [string, string]);
  const { rows } = await sql<{ organizationId: string; name: string; isEmpty: boolean }>`
    select g.organization_id, g.name, not exists (select from jobs j
      where j.organization_id = g.organization_id and j.concurrency_group = g.name) as is_empty
    from concurrency_groups g
    where ${organizationId}::uuid is null or (g.organization_id, g.name) > (${organizationId}::uuid, ${name}::text)
    order by g.organization_id, g.name limit ${most}`.execute(db);
  const last = rows.at(-1);
  return {
    empty: rows.filter(({ isEmpty }) => isEmpty),
    last: last ? JSON.stringify([last.organizationId, last.name]) : null,
    isOver: rows.length < most,
  };
}

/** Those of these groups that no job names, unless a transaction works with one. */
export const emptyGroups = (groups: readonly { organizationId: string; name: string }[]): DoomedRows => ({
  table: 'concurrency_groups',
  where: sql`(organization_id, name) in (
    select g.organization_id, g.name from concurrency_groups g join unnest(
      ${sql.val(groups.map(({ organizationId }) => organizationId))}::uuid[],
      ${sql.val(groups.map(({ name }) => name))}::text[]) as wanted(organization_id, name)
      on wanted.organization_id = g.organization_id and wanted.name = g.name
    where not exists (select from jobs j
      where j.organization_id = g.organization_id and j.concurrency_group = g.name)
    for update of g skip locked)`,
});

/** Messages that were set aside so long ago that no operator comes back to them. */
export const failedMessages = (now: Date): DoomedRows => ({
  table: 'outbox_messages',
  where: sql`failed_at < ${oldBefore(now, limits.failedMessageDays)}::timestamptz`,
});
