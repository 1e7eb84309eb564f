import type { AnnotationScope } from '../../../domain/builds/annotations/annotation.js';
import type { Context } from '../../../request/context.js';
import type { AnnotationRow, JobRow } from '../../../entities/database.js';
import type { BuildSubject } from '../../../core/subject.js';

/** Parent of annotations: a build, or one of its jobs. */
export interface Annotated extends BuildSubject {
  /** Null if the parent is the build. */
  job: JobRow | null;
}

export interface AnnotationSubject extends BuildSubject {
  annotation: AnnotationRow;
}

/** Columns of every read; bodies can be large and are read where they are shown (`loaders.ts`). */
export const annotationColumns = [
  'id',
  'organizationId',
  'buildId',
  'jobId',
  'context',
  'style',
  'priority',
  'createdAt',
  'updatedAt',
] as const satisfies readonly (keyof AnnotationRow)[];

/** Whether an annotation is about its build or about a job of it. */
export function scopeOf({ jobId }: Pick<AnnotationRow, 'jobId'>): AnnotationScope {
  return jobId === null ? 'build' : 'job';
}

/**
 * Records the event of a change of an annotation, with its build or job as the subject, in the build's order of events.
 */
export function recordAnnotation(
  context: Context,
  type: 'annotation.create' | 'annotation.update' | 'annotation.delete',
  build: BuildSubject['build'],
  annotation: AnnotationRow,
): void {
  const { id, jobId, style, priority } = annotation;
  context.record({
    organizationId: build.organizationId,
    subject: scopeOf(annotation),
    subjectId: jobId ?? build.id,
    pipelineId: build.pipelineId,
    buildId: build.id,
    jobId,
    type,
    data: { annotationId: id, context: annotation.context, style, priority },
  });
}
