import { sql } from 'kysely';
import type { Context } from '../../request/context.js';
import { compiled } from '../../database/compiled.js';
import { rowAsColumns } from '../../database/row-conversion.js';
import { versionExpression } from '../../database/row-version.js';
import { largestInteger } from '../../domain/integer-column.js';
import { notFound, type Problem, wrongState } from '../../domain/problem.js';
import type { PipelineRow } from '../../entities/database.js';
import { newId } from '../../database/ids.js';
import { pipelineCountsText } from '../../loaders/pipeline-counts.js';

/** Number, id and creation time of a build, which order the builds of a pipeline alike. */
export interface BuildNumbering {
  number: number;
  id: string;
  createdAt: Date;
}

/** The same with the row of the pipeline as it is from then on, and its counts from before (`pipelineCountsText`). */
interface DrawnNumber extends BuildNumbering {
  pipeline: PipelineRow;
  counts: string;
}

const raiseNumber = compiled<
  { pipelineId: string },
  {
    number: number;
    lastNumber: number | null;
    lastId: string | null;
    lastCreatedAt: Date | null;
    pipeline: PipelineRow;
    counts: string;
  }
>(
  'raise-build-number',
  (_db, { pipelineId }) => sql`
    with counter as (
      update pipelines p set next_build_number = next_build_number + 1 where id =
        ${pipelineId} and next_build_number < ${largestInteger}
      returning ${rowAsColumns('pipelines', 'p', 'pipeline')}, ${versionExpression('p')} as "pipeline.row_version"
    )
    select c.*, c."pipeline.next_build_number" - 1 as number, b.number as last_number, b.id as last_id,
      b.created_at as last_created_at, ${pipelineCountsText(pipelineId)} as counts from counter c left join lateral (
      select number, id, created_at from builds where pipeline_id = ${pipelineId} order by number desc limit 1
    ) b on true`,
);

const lastBuild = compiled('last-build', (db, { pipelineId }: { pipelineId: string }) =>
  db
    .selectFrom('builds')
    .select(['id as lastId', 'createdAt as lastCreatedAt'])
    .where('pipelineId', '=', pipelineId)
    .orderBy('number', 'desc')
    .limit(1),
);

/**
 * Draws the next build number of a pipeline and, under the row lock that this takes, the build's id and time. Of two
 * builds created at once, the one with the higher number has the higher id and is not older, even if clocks of replicas
 * differ. The lock is held until the transaction ends. Throws `not_found` if the pipeline was deleted meanwhile, and
 * `wrong_state` if it has no number left.
 */
export async function drawNumber(context: Context, pipelineId: string): Promise<DrawnNumber> {
  const [counter] = await raiseNumber(context.db, { pipelineId });
  if (!counter) throw await noNumberProblem(context, pipelineId);
  // If the statement waited for the lock, it has seen the builds from before it waited; another sees the last one.
  const [last] = counter.lastNumber === counter.number - 1 ? [counter] : await lastBuild(context.db, { pipelineId });
  const { lastId = null, lastCreatedAt = null } = last ?? {};
  const createdAt = lastCreatedAt && lastCreatedAt > context.now ? lastCreatedAt : context.now;
  const { number, pipeline, counts } = counter;
  return { number, id: idAfter(lastId ?? '', createdAt), createdAt, pipeline, counts };
}

async function noNumberProblem(context: Context, pipelineId: string): Promise<Problem> {
  const pipeline = await context.db
    .selectFrom('pipelines')
    .select('id')
    .where('id', '=', pipelineId)
    .executeTakeFirst();
  return pipeline ? wrongState('The pipeline has no build number left') : notFound();
}

/**
 * Creates an id that sorts after another: another replica's clock, or its count within the millisecond, may be ahead.
 */
function idAfter(last: string, time: Date): string {
  const id = newId(time);
  return id > last ? id : newId(new Date(Number.parseInt(last.replaceAll('-', '').slice(0, 12), 16) + 1));
}
