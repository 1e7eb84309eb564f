import { sql } from 'kysely';
import type { Context } from '../../request/context.js';
import { culpritStatus } from '../../domain/builds/culprit/culprit-status.js';
import type { CommitStatus } from '../../domain/integrations/commit-status.js';
import type { BuildRow, CulpritSearchRow } from '../../entities/database.js';

type Answer = Pick<CulpritSearchRow, 'branch' | 'steps'> & { failedNumber: number };

/**
 * The commit status of a build whose commit a search found to be a culprit: one of the search's builds, or the failed
 * build itself. None for others.
 */
export async function culpritStatuses({ db }: Context, build: BuildRow): Promise<CommitStatus[]> {
  const ofBuild =
    build.culpritSearchId === null ? sql`s.bad_build_id = ${build.id}` : sql`s.id = ${build.culpritSearchId}`;
  const { rows } = await sql<Answer>`
    select s.branch, s.steps, f.number as failed_number
    from culprit_searches s join builds f on f.id = s.build_id
    where ${ofBuild} and s.culprit_commit is not null and s.culprit_commit = ${build.commit}
    order by s.id desc limit 1`.execute(db);
  return rows.map(({ branch, steps, failedNumber }) => culpritStatus(branch, steps, failedNumber));
}
