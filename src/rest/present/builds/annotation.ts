import type { Context } from '../../../request/context.js';
import { annotationScopes, annotationStyles } from '../../../domain/builds/annotations/annotation.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import { formatTime } from '../../../domain/time.js';
import type { AnnotationRow } from '../../../entities/database.js';
import { scopeOf } from '../../../resources/builds/annotations/annotation.js';
import { annotationHtml } from '../../../resources/builds/annotations/body-html.js';
import { enumOf, integer, nullable, text, time, uuid } from '../../openapi/schema.js';
import { field, optionalField, resource } from '../fields.js';

/** Clients of /v2 decode only four styles, so an annotation without a style is shown as `info`. */
const styleWhenNone = 'info';

interface AnnotationSource {
  context: Context;
  annotation: AnnotationRow;
  omitBody: boolean;
}

export const annotationResource = resource<AnnotationSource>({
  id: field(uuid, 'ID of the annotation.', ({ annotation }) => annotation.id),
  context: field(text, 'Name that identifies the annotation in its scope.', ({ annotation }) => annotation.context),
  style: field(
    enumOf(...annotationStyles),
    'Visual style; `info` if the annotation has none.',
    ({ annotation }) => annotation.style ?? styleWhenNone,
  ),
  scope: field(
    enumOf(...annotationScopes),
    'Whether the annotation belongs to the build or to one job.',
    ({ annotation }) => scopeOf(annotation),
  ),
  job_id: field(
    nullable(uuid),
    'ID of the job that the annotation belongs to; null for the whole build.',
    ({ annotation }) => annotation.jobId,
  ),
  priority: field(
    integer,
    'Priority from 1 to 10; annotations with a higher priority are shown first.',
    ({ annotation }) => annotation.priority,
  ),
  body_html: optionalField(
    text,
    'Body as sanitized HTML; absent if the list was requested without bodies.',
    async ({ context, annotation, omitBody }) =>
      omitBody ? undefined : ((await annotationHtml(context, annotation.id)) ?? ''),
  ),
  created_at: field(time, 'Time the annotation was created.', ({ annotation }) => formatTime(annotation.createdAt)),
  updated_at: field(time, 'Time of the last change.', ({ annotation }) => formatTime(annotation.updatedAt)),
});

/** @param options `omitBody` leaves out the rendered body. */
export function presentAnnotation(
  context: Context,
  annotation: AnnotationRow,
  { omitBody = false } = {},
): Promise<JsonObject> {
  return annotationResource.present({ context, annotation, omitBody });
}
