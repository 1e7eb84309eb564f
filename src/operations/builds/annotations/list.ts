import { type SelectQueryBuilder, sql } from 'kysely';
import { z } from 'zod';
import { annotationScopes, annotationStyles } from '../../../domain/builds/annotations/annotation.js';
import type { Context } from '../../../request/context.js';
import type { AnnotationRow, ShownBuildRow, Database, JobRow } from '../../../entities/database.js';
import { visiblePipelineIds } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import { newestFirst, type Ordering, type Page, paginate, paginateByParent, paging } from '../../../core/paging.js';
import type { EverywhereSubject } from '../../../core/subject.js';
import { type Annotated, annotationColumns } from '../../../resources/builds/annotations/annotation.js';
import { annotatedAddress, findAnnotated } from '../../../resources/builds/annotations/find-annotated.js';

const ids = z.array(z.uuid()).max(10_000);

const input = z.object({
  /** One build or job, or many of them at once by their ids. */
  of: annotatedAddress.optional(),
  buildIds: ids.optional(),
  jobIds: ids.optional(),
  /** For builds: their own annotations, those of their jobs, or both. */
  scopes: z.array(z.enum(annotationScopes)).min(1).max(annotationScopes.length).default(['build']),
  styles: z
    .array(z.enum([...annotationStyles, 'default']))
    .max(100)
    .nullish(),
  /** `shown`: by priority, then oldest first; `priority`: by priority, then newest first. */
  order: z.enum(['shown', 'priority', 'created']).default('shown'),
  paging,
});

type Input = z.output<typeof input>;
type AnnotationQuery = SelectQueryBuilder<Database & { a: Database['annotations'] }, 'a', AnnotationRow>;

/** A page for the single build or job, or one for each of many, by id. */
export interface AnnotationPages extends Page<AnnotationRow> {
  get(parentId: string): Page<AnnotationRow> | undefined;
}

/**
 * Lists annotations of a build or a job, or of many with a page each, in one statement. Hidden parents have no entry.
 */
export const listAnnotations = defineOperation({
  name: 'annotation.list',
  summary: 'Lists annotations of a build or a job.',
  kind: 'query',
  scope: 'read_builds',
  access: 'visible',
  input,
  subject: async (context, { of }): Promise<EverywhereSubject | Annotated | null> =>
    of ? findAnnotated(context, of) : { everywhere: true },
  run: async (context, request, subject): Promise<AnnotationPages> => {
    const ordering = orderings[request.order];
    const all = filtered(
      context.db.selectFrom('annotations as a').select(annotationColumns.map((name) => `a.${name}` as const)),
      request,
    );
    const { build, job } = subject as { build?: ShownBuildRow; job?: JobRow | null };
    if (build) {
      const query = job ? all.where('a.jobId', '=', job.id) : ofScopes(all.where('a.buildId', '=', build.id), request);
      const page = await paginate(context.db, query, ordering, request.paging);
      return { ...page, get: (id) => (id === (job ?? build).id ? page : undefined) };
    }
    if ('page' in request.paging) throw new Error('pages of many parents are stretches');
    const parents = await visibleParents(context, request);
    const query = request.jobIds
      ? all.where(sql<boolean>`a.job_id = parent.id`)
      : ofScopes(all.where(sql<boolean>`a.build_id = parent.id`), request);
    const pages = await paginateByParent(context.db, parents, query, ordering, request.paging);
    const rows = [...pages.values()].flatMap((page) => page.rows);
    return {
      rows,
      hasNext: false,
      hasPrevious: false,
      cursor: (row) => row.id,
      count: async () => rows.length,
      get: (id) => pages.get(id),
    };
  },
});

/** The requested builds or jobs whose pipelines the caller may see. */
async function visibleParents(context: Context, { buildIds = [], jobIds }: Input): Promise<string[]> {
  const jobsOrBuilds: (ShownBuildRow | JobRow | Error | null)[] = jobIds
    ? await context.uncheckedRows.job.loadMany(jobIds)
    : await context.uncheckedRows.build.loadMany(buildIds);
  const rows = jobsOrBuilds.filter((row): row is ShownBuildRow | JobRow => row !== null && !(row instanceof Error));
  const visibleIds = new Set(await visiblePipelineIds(context, [...new Set(rows.map((row) => row.pipelineId))]));
  return rows.filter((row) => visibleIds.has(row.pipelineId)).map((row) => row.id);
}

function filtered(query: AnnotationQuery, { styles }: Input): AnnotationQuery {
  if (!styles?.length) return query;
  const named = styles.filter((style) => style !== 'default');
  return query.where((eb) =>
    eb.or([
      ...(named.length > 0 ? [eb('a.style', 'in', named)] : []),
      ...(styles.includes('default') ? [eb('a.style', 'is', null)] : []),
    ]),
  );
}

function ofScopes(query: AnnotationQuery, { scopes }: Input): AnnotationQuery {
  if (!scopes.includes('job')) return query.where('a.jobId', 'is', null);
  return scopes.includes('build') ? query : query.where('a.jobId', 'is not', null);
}

const byPriority = {
  column: 'a.priority',
  id: 'a.id',
  direction: 'desc',
  key: ({ priority }: AnnotationRow) => priority,
  type: 'int',
} as const;

export const orderings: Record<Input['order'], Ordering<AnnotationRow>> = {
  shown: { ...byPriority, ties: 'asc' },
  priority: byPriority,
  created: newestFirst('a.id'),
};
