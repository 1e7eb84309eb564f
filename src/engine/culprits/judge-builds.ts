import { sql } from 'kysely';
import type { Context } from '../../request/context.js';
import type { BuildState } from '../../domain/builds/build-state.js';
import { judge } from '../../domain/builds/culprit/verdict.js';
import type { EndedJob } from '../../domain/builds/failures/job-failure.js';
import type { CulpritBuildRow, CulpritSearchRow } from '../../entities/database.js';

interface BuildToJudge {
  position: number;
  /** Null if the build is gone. */
  state: BuildState | null;
  jobs: EndedJob[] | null;
}

/** Judges the builds of a locked search that have ended; returns all of its builds as they are then. */
export async function judgeBuilds(context: Context, search: CulpritSearchRow): Promise<CulpritBuildRow[]> {
  const builds = await context.db
    .selectFrom('culprit_builds')
    .selectAll()
    .where('searchId', '=', search.id)
    .orderBy('position')
    .execute();
  const { rows } = await sql<BuildToJudge>`
    select c.position, b.state, (
      select json_agg(json_build_object('type', j.type, 'state', j.state, 'passed', j.passed, 'exitStatus',
        j.exit_status, 'signal', j.signal, 'signalReason', j.signal_reason, 'timeoutInMinutes', j.timeout_in_minutes))
      from jobs j where j.build_id = c.build_id and j.step_id = any(c.step_ids::uuid[]) and not j.retried
    ) as jobs
    from culprit_builds c left join builds b on b.id = c.build_id
    where c.search_id = ${search.id} and c.verdict is null`.execute(context.db);
  const judgements = new Map(
    rows.map(({ position, state, jobs }) => [
      position,
      state === null
        ? { verdict: 'skipped' as const, reason: 'Its build was deleted.' }
        : judge({ state, jobs: jobs ?? [] }, search),
    ]),
  );
  return Promise.all(
    builds.map(async (build) => {
      const judgement = judgements.get(build.position);
      return judgement ? storeVerdict(context, build, judgement) : build;
    }),
  );
}

/** Stores the verdict of a build that had none. */
export async function storeVerdict(
  { db, now }: Context,
  build: CulpritBuildRow,
  { verdict, reason }: Pick<CulpritBuildRow, 'verdict' | 'reason'>,
): Promise<CulpritBuildRow> {
  await db
    .updateTable('culprit_builds')
    .set({ verdict, reason, judgedAt: now })
    .where('searchId', '=', build.searchId)
    .where('position', '=', build.position)
    .execute();
  return { ...build, verdict, reason, judgedAt: now };
}
