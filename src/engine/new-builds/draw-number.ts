import { sql } from 'kysely';
import type { Context } from '../../context.js';
import { compiled } from '../../database/compiled.js';
import { notFound } from '../../domain/problem.js';
import { newId } from '../../ids.js';

/** Number, id and creation time of a build, which order the builds of a pipeline alike. */
export interface BuildNumbering {
  number: number;
  id: string;
  createdAt: Date;
}

const raiseNumber = compiled('raise-build-number', (db, { pipelineId }: { pipelineId: string }) =>
  db
    .updateTable('pipelines')
    .set((eb) => ({ nextBuildNumber: eb('nextBuildNumber', '+', 1) }))
    .where('id', '=', pipelineId)
    .returning(sql<number>`next_build_number - 1`.as('number')),
);

const lastBuild = compiled('last-build', (db, { pipelineId }: { pipelineId: string }) =>
  db
    .selectFrom('builds')
    .select(['id', 'createdAt'])
    .where('pipelineId', '=', pipelineId)
    .orderBy('number', 'desc')
    .limit(1),
);

/**
 * Draws the next build number of a pipeline and, under the row lock that this takes, the build's id and time. Of two
 * builds created at once, the one with the higher number has the higher id and is not older, even if clocks of replicas
 * differ. The lock is held until the transaction ends. Throws `not_found` if the pipeline was deleted meanwhile.
 */
export async function drawNumber(context: Context, pipelineId: string): Promise<BuildNumbering> {
  const [counter] = await raiseNumber(context.db, { pipelineId });
  if (!counter) throw notFound();
  // A statement of its own: one that waited for the lock would still see the builds from before it waited.
  const [last] = await lastBuild(context.db, { pipelineId });
  const createdAt = last && last.createdAt > context.now ? last.createdAt : context.now;
  return { number: counter.number, id: idAfter(last?.id ?? '', createdAt), createdAt };
}

/**
 * Creates an id that sorts after another: another replica's clock, or its count within the millisecond, may be ahead.
 */
function idAfter(last: string, time: Date): string {
  const id = newId(time);
  return id > last ? id : newId(new Date(Number.parseInt(last.replaceAll('-', '').slice(0, 12), 16) + 1));
}
