import { sql } from 'kysely';
import { idIn } from './database/id-in.js';
import { versionExpression } from './database/row-version.js';
import type { JobState, JobType } from './domain/builds/job-state.js';
import type { Db } from './entities/database.js';

/** The facts of a job that decide whether and how a build shows it, with the versions of its row and of its step's. */
export interface JobOutline {
  id: string;
  type: JobType;
  state: JobState;
  passed: boolean;
  version: string;
  stepId: string;
  stepVersion: string;
}

/**
 * Reads the jobs of builds in pipeline order as a text a build: a row of columns for each of a thousand jobs costs many
 * times as much. No column here holds a space.
 */
export async function readJobOutlines(
  db: Db,
  buildIds: readonly string[],
  includeRetried: boolean,
): Promise<JobOutline[][]> {
  const facts = [
    sql`j.id`,
    sql`j.type`,
    sql`j.state`,
    sql`j.passed::text`,
    versionExpression('j'),
    sql`j.step_id`,
    versionExpression('s'),
  ];
  const line = sql`concat_ws(' ', ${sql.join(facts)})`;
  let query = db
    .selectFrom('jobs as j')
    .leftJoin('steps as s', 's.id', 'j.stepId')
    .select('j.buildId')
    .select(sql<string>`string_agg(${line}, E'\\n' order by j.position, j.id)`.as('lines'))
    .where(idIn('j.build_id', buildIds))
    .groupBy('j.buildId');
  if (!includeRetried) query = query.where('j.retried', '=', false);
  const byBuild = new Map((await query.execute()).map(({ buildId, lines }) => [buildId, lines]));
  return buildIds.map((id) => byBuild.get(id)?.split('\n').map(outlineOf) ?? []);
}

function outlineOf(line: string): JobOutline {
  const [id = '', type, state, passed, version = '', stepId = '', stepVersion = ''] = line.split(' ');
  // The columns hold nothing else: they are the columns of the entity.
  return {
    id,
    type: type as JobType,
    state: state as JobState,
    passed: passed === 'true',
    version,
    stepId,
    stepVersion,
  };
}
