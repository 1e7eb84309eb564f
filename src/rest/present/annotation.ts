import type { Context } from '../../context.js';
import type { JsonObject } from '../../domain/steps/step.js';
import { formatTime } from '../../domain/time.js';
import type { AnnotationRow } from '../../entities/database.js';
import { scopeOf } from '../../operations/annotations/annotation.js';

/** /v2 has no word for an annotation without a style, and clients decode only the four: it reads as `info` (rest-facts 9.2). */
const withoutStyle = 'info';

/** An annotation (api-v2.md; rest-facts 2.4), with or without its rendered body. */
export async function presentAnnotation(context: Context, annotation: AnnotationRow, { omitBody = false } = {}): Promise<JsonObject> {
  return {
    id: annotation.id,
    context: annotation.context,
    style: annotation.style ?? withoutStyle,
    scope: scopeOf(annotation),
    job_id: annotation.jobId,
    priority: annotation.priority,
    ...(omitBody ? {} : { body_html: (await context.load.annotationHtml.load(annotation.id)) ?? '' }),
    created_at: formatTime(annotation.createdAt),
    updated_at: formatTime(annotation.updatedAt),
  };
}
