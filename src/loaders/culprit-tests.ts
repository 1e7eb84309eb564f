import { sql } from 'kysely';
import type { CulpritBuildRow, Db } from '../entities/database.js';
import { group } from './batch-loader.js';

/** A commit that a search for a culprit has tested. */
export interface CulpritTest extends Omit<CulpritBuildRow, 'organizationId' | 'stepIds'> {
  commit: string;
  /** Null where the build is gone. */
  buildNumber: number | null;
}

/** Reads the commits that searches have tested, a list for each search in the order of its branch. */
export async function readCulpritTests(db: Db, searchIds: readonly string[]): Promise<CulpritTest[][]> {
  const { rows } = await sql<CulpritTest>`
    select c.search_id, c.position, s.commits[c.position] as commit, c.build_id, b.number as build_number, c.verdict,
      c.reason, c.created_at, c.judged_at
    from culprit_builds c join culprit_searches s on s.id = c.search_id left join builds b on b.id = c.build_id
    where c.search_id = any(${sql.val([...searchIds])}::uuid[]) order by c.search_id, c.position`.execute(db);
  const bySearch = group(rows, ({ searchId }) => searchId);
  return searchIds.map((id) => bySearch.get(id) ?? []);
}
