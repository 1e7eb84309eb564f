import type { Expression } from 'kysely';
import { findPipeline } from '../../../core/find.js';
import type { Context } from '../../../request/context.js';

/** What the caller narrows figures to, in the words of the keys of rows. */
export interface InsightFilters {
  pipeline?: string | null | undefined;
  branch?: string | null | undefined;
  queue?: string | null | undefined;
  step?: string | null | undefined;
}

/** The same with ids; null: not narrowed by this. */
export interface InsightSubjects {
  pipelineId: string | null;
  branch: string | null;
  /** Ids of the queues, as a statement selects them. */
  queues: Expression<{ id: string }> | null;
  /** Name of the step in its pipeline. */
  step: string | null;
}

/** Finds what figures are narrowed to; null where a name is that of nothing that the caller may see. */
export async function findInsightSubjects(
  context: Context,
  organization: { id: string; slug: string },
  { pipeline, branch, queue, step }: InsightFilters,
): Promise<InsightSubjects | null> {
  const [ofStep, name] = step ? parts(step, step.indexOf('/')) : [null, null];
  const slug = pipeline ?? ofStep;
  if (ofStep !== null && slug !== ofStep) return null;
  const only = slug ? await findPipeline(context, { organization: organization.slug, slug }) : null;
  if (slug && !only) return null;
  const queues = queue ? queuesCalled(context, organization.id, queue) : null;
  if (queues && !(await queues.limit(1).executeTakeFirst())) return null;
  return { pipelineId: only?.pipeline.id ?? null, branch: branch ?? null, queues, step: name };
}

const parts = (text: string, at: number): [string, string] => [text.slice(0, Math.max(at, 0)), text.slice(at + 1)];

/** Queues with a key, of one cluster where its name is before it: a key alone can be that of several clusters. */
function queuesCalled({ db }: Context, organizationId: string, queue: string) {
  const [cluster, key] = parts(queue, queue.lastIndexOf('/'));
  const query = db
    .selectFrom('cluster_queues as q')
    .innerJoin('clusters as c', 'c.id', 'q.clusterId')
    .select('q.id')
    .where('c.organizationId', '=', organizationId)
    .where('q.key', '=', key);
  return cluster ? query.where('c.name', '=', cluster) : query;
}
