import { sql } from 'kysely';
import type { Context } from '../../request/context.js';
import { isCanonicalSha } from '../../domain/builds/git-commit-text.js';
import type { BuildRow } from '../../entities/database.js';

/** Changes that follow each other closely become one request. */
const coalesceMs = 1500;

/**
 * Marks builds whose commit statuses may have changed, in the transaction of the change: a background task computes
 * and sends them (`background/integrations/commit-statuses`). Only builds of whole SHAs, and only where the
 * organization has a connection. One statement, however many builds and steps there are.
 */
export async function queueCommitStatuses(context: Context, builds: readonly BuildRow[]): Promise<void> {
  const ids = builds.filter(({ commit }) => isCanonicalSha(commit)).map(({ id }) => id);
  if (ids.length === 0) return;
  const dueAt = new Date(context.now.getTime() + coalesceMs);
  // A change waits for the lock of the row if statuses are being computed: the mark that it leaves is computed again.
  await sql`insert into commit_status_marks as m (build_id, organization_id, due_at, revision, created_at)
    select b.id, b.organization_id, ${dueAt}::timestamptz, 1, ${context.now}::timestamptz from builds b
    where b.id = any(${ids}::uuid[]) and exists (
      select 1 from provider_connections c where c.organization_id = b.organization_id
    )
    order by b.id
    on conflict (build_id) do update set revision = m.revision + 1`.execute(context.db);
}
