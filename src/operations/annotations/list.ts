import { type SelectQueryBuilder, sql } from 'kysely';
import { z } from 'zod';
import { annotationScopes, annotationStyles } from '../../domain/annotations/annotation.js';
import type { Context } from '../../context.js';
import type { AnnotationRow, BuildRow, Database, JobRow } from '../../entities/database.js';
import { visiblePipelineIds } from '../find.js';
import { defineOperation } from '../operation.js';
import { newestFirst, type Ordering, type Page, paginate, paginateByParent, paging } from '../paging.js';
import type { Subject } from '../subject.js';
import { annotationColumns } from './annotation.js';
import { annotatedAddress, findAnnotated } from './find-annotated.js';

const ids = z.array(z.uuid()).max(10_000);

const input = z.object({
  /** One build or job, or many of them at once by their ids. */
  of: annotatedAddress.optional(),
  buildIds: ids.optional(),
  jobIds: ids.optional(),
  /** Of builds: their own annotations, those of their jobs, or both. */
  scopes: z.array(z.enum(annotationScopes)).min(1).max(annotationScopes.length).default(['build']),
  styles: z.array(z.enum([...annotationStyles, 'default'])).max(100).nullish(),
  /** `shown`: by priority, then in the order of their making; `priority`: the same with the newest first. */
  order: z.enum(['shown', 'priority', 'created']).default('shown'),
  paging,
});

type Asked = z.output<typeof input>;
type AnnotationQuery = SelectQueryBuilder<Database & { a: Database['annotations'] }, 'a', AnnotationRow>;

/** The page of the one thing asked about, and of each of many by its id. */
export interface AnnotationPages extends Page<AnnotationRow> {
  get(parentId: string): Page<AnnotationRow> | undefined;
}

/** Annotations of a build or a job (api-v2.md; rest-facts 2.4), or of many, a page each, in one statement; what is hidden has none. */
export const listAnnotations = defineOperation({
  name: 'annotation.list',
  summary: 'Lists annotations of a build or a job.',
  kind: 'query',
  scope: 'read_builds',
  access: 'visible',
  input,
  subject: async (context, { of }): Promise<Subject | null> => (of ? findAnnotated(context, of) : { everywhere: true }),
  run: async (context, asked, subject): Promise<AnnotationPages> => {
    const ordering = orderings[asked.order];
    const all = filtered(context.db.selectFrom('annotations as a').select(annotationColumns.map((name) => `a.${name}` as const)), asked);
    const { build, job } = subject as { build?: BuildRow; job?: JobRow | null };
    if (build) {
      const query = job ? all.where('a.jobId', '=', job.id) : ofScopes(all.where('a.buildId', '=', build.id), asked);
      const page = await paginate(context.db, query, ordering, asked.paging);
      return { ...page, get: (id) => (id === (job ?? build).id ? page : undefined) };
    }
    if ('page' in asked.paging) throw new Error('pages of many parents are stretches');
    const parents = await visibleParents(context, asked);
    const query = asked.jobIds ? all.where(sql<boolean>`a.job_id = parent.id`) : ofScopes(all.where(sql<boolean>`a.build_id = parent.id`), asked);
    const pages = await paginateByParent(context.db, parents, query, ordering, asked.paging);
    const rows = [...pages.values()].flatMap((page) => page.rows);
    return { rows, hasNext: false, hasPrevious: false, cursor: (row) => row.id, count: async () => rows.length, get: (id) => pages.get(id) };
  },
});

/** Of the builds or jobs asked about those whose pipelines the caller may see. */
async function visibleParents(context: Context, { buildIds = [], jobIds }: Asked): Promise<string[]> {
  const found: (BuildRow | JobRow | Error | null)[] = jobIds ? await context.load.job.loadMany(jobIds) : await context.load.build.loadMany(buildIds);
  const rows = found.filter((row): row is BuildRow | JobRow => row !== null && !(row instanceof Error));
  const seen = new Set(await visiblePipelineIds(context, [...new Set(rows.map((row) => row.pipelineId))]));
  return rows.filter((row) => seen.has(row.pipelineId)).map((row) => row.id);
}

function filtered(query: AnnotationQuery, { styles }: Asked): AnnotationQuery {
  if (!styles?.length) return query;
  const named = styles.filter((style) => style !== 'default');
  return query.where((eb) => eb.or([...(named.length > 0 ? [eb('a.style', 'in', named)] : []), ...(styles.includes('default') ? [eb('a.style', 'is', null)] : [])]));
}

function ofScopes(query: AnnotationQuery, { scopes }: Asked): AnnotationQuery {
  if (!scopes.includes('job')) return query.where('a.jobId', 'is', null);
  return scopes.includes('build') ? query : query.where('a.jobId', 'is not', null);
}

const byPriority = { column: 'a.priority', id: 'a.id', direction: 'desc', key: ({ priority }: AnnotationRow) => priority, type: 'int' } as const;

export const orderings: Record<Asked['order'], Ordering<AnnotationRow>> = {
  shown: { ...byPriority, ties: 'asc' },
  priority: byPriority,
  created: newestFirst('a.id'),
};
