import { defineEntity, p } from '@mikro-orm/core';
import type { AnnotationStyle } from '../../domain/builds/annotations/annotation.js';
import { at, idOrNull, textOrNull } from '../columns.js';

/** A piece of Markdown about a build, or about one of its jobs. */
export const AnnotationSchema = defineEntity({
  name: 'Annotation',
  tableName: 'annotations',
  indexes: [
    {
      // One annotation per build and context, and one per job and context.
      name: 'annotations_context_of_build_unique',
      properties: ['buildId', 'context'],
      expression:
        `create unique index "annotations_context_of_build_unique" on "annotations" ("build_id", ` +
        `"context") where "job_id" is null`,
    },
    {
      name: 'annotations_context_of_job_unique',
      properties: ['jobId', 'context'],
      expression:
        `create unique index "annotations_context_of_job_unique" on "annotations" ("job_id", ` +
        `"context") where "job_id" is not null`,
    },
    {
      name: 'annotations_shown_of_build_index',
      properties: ['buildId', 'priority', 'id'],
      expression:
        `create index "annotations_shown_of_build_index" on "annotations" ("build_id", "priority" ` + `desc, "id")`,
    },
    {
      name: 'annotations_shown_of_job_index',
      properties: ['jobId', 'priority', 'id'],
      expression:
        `create index "annotations_shown_of_job_index" on "annotations" ("job_id", "priority" desc, ` +
        `"id") where "job_id" is not null`,
    },
    { properties: ['buildId', 'id'] },
  ],
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    buildId: p.uuid(),
    /** The job it is about; null where it is about the build. */
    jobId: idOrNull(),
    context: p.text(),
    /** Null: no colour. */
    style: textOrNull().$type<AnnotationStyle | null>(),
    priority: p.integer(),
    /** As it was written: HTML or Markdown. */
    body: p.text(),
    /** The body rendered and sanitised; null since it was last written to, until it is read. */
    bodyHtml: textOrNull(),
    createdAt: at(),
    updatedAt: at(),
  },
});
