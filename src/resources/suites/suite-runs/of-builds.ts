import DataLoader from 'dataloader';
import { sql } from 'kysely';
import type { Context } from '../../../request/context.js';
import { limits } from '../../../domain/limits/limits.js';
import { hasScope } from '../../../auth/has-scope.js';
import { suiteIsAccessible } from '../../../core/suite-visibility.js';

/** A test run where a build lists it. */
export interface RunOfBuild {
  id: string;
  suiteId: string;
  suiteSlug: string;
}

const loaders = new WeakMap<Context, DataLoader<string, RunOfBuild[]>>();

/**
 * The newest runs of a build, at most a page of them, whose suites the caller may read; none without the scope to.
 * One statement for all builds of a reply.
 */
export function runsOfBuild(context: Context, buildId: string): Promise<RunOfBuild[]> {
  const { actor, request } = context;
  if (!hasScope(actor, 'read_suites', request.surface)) return Promise.resolve([]);
  const loader = loaders.get(context) ?? new DataLoader((ids: readonly string[]) => load(context, ids));
  loaders.set(context, loader);
  return loader.load(buildId);
}

async function load(context: Context, buildIds: readonly string[]): Promise<RunOfBuild[][]> {
  const ofParent = context.db
    .selectFrom('suite_runs as r')
    .innerJoin('suites as s', 's.id', 'r.suiteId')
    .select(['r.id', 's.id as suiteId', 's.slug as suiteSlug'])
    .where(sql<boolean>`r.build_id = parent.id`)
    .where(suiteIsAccessible(context.actor, 'read'))
    .orderBy('r.id', 'desc')
    .limit(limits.perPageMax);
  const { rows } = await sql<RunOfBuild & { parentId: string }>`select parent.id as parent_id, x.* from
    unnest(${sql.val([...buildIds])}::uuid[]) as parent(id) cross join lateral (${ofParent}) as x`.execute(context.db);
  return buildIds.map((id) => rows.filter((row) => row.parentId === id));
}
