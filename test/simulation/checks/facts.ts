import type { BuildRow, Db, JobRow, Row, StepRow } from '../../../src/entities/database.js';

export interface BuildFacts {
  build: BuildRow;
  steps: StepRow[];
  jobs: JobRow[];
  /** In sequence. */
  events: Row<'events'>[];
}

/** Everything the database holds about the builds of some pipelines, in four statements. */
export async function readFacts(db: Db, pipelineIds: readonly string[]): Promise<BuildFacts[]> {
  const builds = await db
    .selectFrom('builds')
    .selectAll()
    .where('pipelineId', 'in', pipelineIds)
    .orderBy('id')
    .execute();
  if (builds.length === 0) return [];
  const ids = builds.map(({ id }) => id);
  const steps = grouped(
    await db.selectFrom('steps').selectAll().where('buildId', 'in', ids).orderBy('position').execute(),
  );
  const jobs = grouped(
    await db.selectFrom('jobs').selectAll().where('buildId', 'in', ids).orderBy('position').orderBy('id').execute(),
  );
  const events = grouped(
    await db.selectFrom('events').selectAll().where('buildId', 'in', ids).orderBy('sequence').execute(),
  );
  return builds.map((build) => ({
    build,
    steps: steps.get(build.id) ?? [],
    jobs: jobs.get(build.id) ?? [],
    events: events.get(build.id) ?? [],
  }));
}

function grouped<T extends { buildId: string | null }>(rows: T[]): Map<string, T[]> {
  const byBuild = new Map<string, T[]>();
  for (const row of rows) {
    const id = row.buildId ?? '';
    byBuild.set(id, [...(byBuild.get(id) ?? []), row]);
  }
  return byBuild;
}
