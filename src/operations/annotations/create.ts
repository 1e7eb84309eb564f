import { z } from 'zod';
import { type AnnotationContent, annotationStyles, defaultContext, writeAnnotation } from '../../domain/annotations/annotation.js';
import { byteLength, limits } from '../../domain/limits.js';
import { invalidField, wrongState } from '../../domain/problem.js';
import type { Context } from '../../context.js';
import type { AnnotationRow } from '../../entities/database.js';
import { defineOperation } from '../operation.js';
import { flag, isStorable, oneOf, text, unstorable, wholeNumber } from '../text.js';
import { type Annotated, annotationColumns, type AnnotationSubject, recordAnnotation } from './annotation.js';
import { annotatedAddress, findAnnotated, heldJobAddress, lockAnnotatedByAgent } from './find-annotated.js';
import { annotationOf } from './find-annotation.js';

const tooLarge = `is too large (maximum is ${limits.annotationBodyBytes} bytes)`;

const input = z.object({
  of: z.union([annotatedAddress, heldJobAddress]),
  body: z
    .string({ error: 'must be a string' })
    .refine((body) => byteLength(body) <= limits.annotationBodyBytes, tooLarge)
    .refine(isStorable, unstorable)
    .nullish(),
  style: oneOf([...annotationStyles, 'default']).nullish(),
  priority: wholeNumber(limits.annotationPriorityMin, limits.annotationPriorityMax).nullish(),
  context: text(limits.annotationContextLength).nullish(),
  append: flag.nullish(),
  /** Whether words without a body may change the looks of an annotation that is there: agents and GraphQL say so. */
  looksAlone: z.boolean().default(false),
});

/**
 * POST annotations (api-v2.md): makes the annotation of a context, replaces it, or adds to it (rest-facts 2.4). The
 * build's row is locked, so that of writers at the same time none overwrites another.
 */
export const createAnnotation = defineOperation({
  name: 'annotation.create',
  summary: 'Creates an annotation, replaces it, or adds to it.',
  kind: 'command',
  scope: 'write_builds',
  access: 'build',
  input,
  subject: (context, { of }) => ('heldJob' in of ? lockAnnotatedByAgent(context, of) : findAnnotated(context, of, { lock: true })),
  run: async (context, asked, subject): Promise<AnnotationSubject> => {
    const name = asked.context?.trim() ? asked.context : defaultContext;
    const before = await annotationOf(context, subject, name);
    const body = asked.body ?? '';
    if (body.trim() === '' && !(before && asked.looksAlone)) throw invalidField('body', asked.body === undefined || asked.body === null ? 'missing' : "can't be blank");
    const content = writeAnnotation(before && { ...before, body: (await context.load.annotationText.load(before.id)) ?? '' }, {
      style: asked.style === 'default' ? null : (asked.style ?? null),
      priority: asked.priority ?? null,
      body,
      append: asked.append ?? false,
    }, limits.annotationPriorityDefault);
    const annotation = before ? await rewrite(context, before, content) : await insert(context, subject, name, content);
    recordAnnotation(context, before ? 'annotation.update' : 'annotation.create', subject.build, annotation);
    const { job: _job, ...of } = subject;
    return { ...of, annotation };
  },
});

/** The columns that hold the content; refuses a body that grew too large, as it is or as it is shown. The renderer is loaded with the first. */
async function columns(content: AnnotationContent) {
  if (byteLength(content.body) > limits.annotationBodyBytes) throw invalidField('body', `${tooLarge} together with what is there`);
  const { renderAnnotation } = await import('../../domain/annotations/render.js');
  const bodyHtml = renderAnnotation(content.body, limits.annotationHtmlBytes);
  if (bodyHtml === null) throw invalidField('body', `cannot be shown: it is nested too deeply, or larger than ${limits.annotationHtmlBytes} bytes when it is rendered`);
  return { ...content, bodyHtml };
}

async function rewrite(context: Context, { id }: AnnotationRow, content: AnnotationContent): Promise<AnnotationRow> {
  return context.db
    .updateTable('annotations')
    .set({ ...(await columns(content)), updatedAt: context.now })
    .where('id', '=', id)
    .returning(annotationColumns)
    .executeTakeFirstOrThrow();
}

async function insert(context: Context, { build, job }: Annotated, name: string, content: AnnotationContent): Promise<AnnotationRow> {
  const { count } = await context.db.selectFrom('annotations').select((eb) => eb.fn.countAll<string>().as('count')).where('buildId', '=', build.id).executeTakeFirstOrThrow();
  if (Number(count) >= limits.annotationsPerBuild) throw wrongState(`A build can have at most ${limits.annotationsPerBuild} annotations`);
  return context.db
    .insertInto('annotations')
    .values({ id: context.newId(), organizationId: build.organizationId, buildId: build.id, jobId: job?.id ?? null, context: name, ...(await columns(content)), createdAt: context.now, updatedAt: context.now })
    .returning(annotationColumns)
    .executeTakeFirstOrThrow();
}
