import type { AnnotationScope } from '../../domain/annotations/annotation.js';
import type { Context } from '../../context.js';
import type { AnnotationRow, JobRow } from '../../entities/database.js';
import type { BuildSubject, Subject } from '../subject.js';

/** What annotations are about: a build, or a job of it. */
export interface Annotated extends Subject {
  build: BuildSubject['build'];
  /** Null where it is the build itself. */
  job: JobRow | null;
}

export interface AnnotationSubject extends Subject {
  build: BuildSubject['build'];
  annotation: AnnotationRow;
}

/** The columns that every reader gets; bodies can be large and are read where they are shown (`loaders.ts`). */
export const annotationColumns = ['id', 'organizationId', 'buildId', 'jobId', 'context', 'style', 'priority', 'createdAt', 'updatedAt'] as const satisfies readonly (keyof AnnotationRow)[];

/** Whether an annotation is about its build or about a job of it. */
export function scopeOf({ jobId }: Pick<AnnotationRow, 'jobId'>): AnnotationScope {
  return jobId === null ? 'build' : 'job';
}

/** Records what was done to an annotation, with its build or job as the subject, in the build's order of events. */
export function recordAnnotation(context: Context, type: 'annotation.create' | 'annotation.update' | 'annotation.delete', build: BuildSubject['build'], annotation: AnnotationRow): void {
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
