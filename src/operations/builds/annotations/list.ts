import type { SelectQueryBuilder } from 'kysely';
import { z } from 'zod';
import { annotationScopes, annotationStyles } from '../../../domain/builds/annotations/annotation.js';
import type { AnnotationRow, Database } from '../../../entities/database.js';
import { defineOperation } from '../../../core/operation.js';
import { newestFirst, type Ordering, type Page, paginate, paging } from '../../../core/paging.js';
import { type Annotated, annotationColumns } from '../../../resources/builds/annotations/annotation.js';
import { annotatedAddress, findAnnotated } from '../../../resources/builds/annotations/find-annotated.js';

const input = z.object({
  of: annotatedAddress,
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

/** Lists annotations of a build or a job. */
export const listAnnotations = defineOperation({
  name: 'annotation.list',
  summary: 'Lists annotations of a build or a job.',
  kind: 'query',
  scope: 'read_builds',
  access: 'visible',
  input,
  subject: (context, { of }): Promise<Annotated | null> => findAnnotated(context, of),
  run: async (context, request, { build, job }): Promise<Page<AnnotationRow>> => {
    const all = filtered(
      context.db.selectFrom('annotations as a').select(annotationColumns.map((name) => `a.${name}` as const)),
      request,
    );
    const query = job ? all.where('a.jobId', '=', job.id) : ofScopes(all.where('a.buildId', '=', build.id), request);
    return paginate(context.db, query, orderings[request.order], request.paging);
  },
});

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
