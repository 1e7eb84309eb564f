import { sql } from 'kysely';
import { z } from 'zod';
import {
  type AnnotationContent,
  annotationStyles,
  defaultContext,
  writeAnnotation,
} from '../../../domain/builds/annotations/annotation.js';
import { byteLength, limits } from '../../../domain/limits/limits.js';
import { invalidField, wrongState } from '../../../domain/problem.js';
import { limitOf } from '../../../domain/limits/raised-limits.js';
import type { Context } from '../../../request/context.js';
import type { AnnotationRow } from '../../../entities/database.js';
import { defineOperation } from '../../../core/operation.js';
import { flag, isStorable, oneOf, text, unstorable, wholeNumber } from '../../../domain/input-text.js';
import {
  type Annotated,
  annotationColumns,
  type AnnotationSubject,
  recordAnnotation,
} from '../../../resources/builds/annotations/annotation.js';
import {
  annotatedAddress,
  findAnnotated,
  heldJobAddress,
  lockAnnotatedByAgent,
} from '../../../resources/builds/annotations/find-annotated.js';
import { annotationOf } from '../../../resources/builds/annotations/find-annotation.js';

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
  /** Whether a request without a body may change the style of an existing annotation, as agents and GraphQL do. */
  looksAlone: z.boolean().default(false),
});

/**
 * POST annotations: creates the annotation of a context, replaces it, or appends to it. The build's row is locked so
 * that concurrent writers do not overwrite each other.
 */
export const createAnnotation = defineOperation({
  name: 'annotation.create',
  summary: 'Creates an annotation, replaces it, or appends to it.',
  kind: 'command',
  scope: 'write_builds',
  access: 'build',
  replyAfterCommit: true,
  input,
  subject: (context, { of }) =>
    'heldJob' in of ? lockAnnotatedByAgent(context, of) : findAnnotated(context, of, { lock: true }),
  run: async (context, request, subject): Promise<AnnotationSubject> => {
    const name = request.context?.trim() ? request.context : defaultContext;
    const before = await annotationOf(context, subject, name);
    const body = request.body ?? '';
    if (body.trim() === '' && !(before && request.looksAlone))
      throw invalidField('body', request.body === undefined || request.body === null ? 'missing' : "can't be blank");
    const bodyBefore = before && ((await context.load.longTexts.annotationText.load(before.id)) ?? '');
    const content = writeAnnotation(
      before && { ...before, body: bodyBefore ?? '' },
      {
        style: request.style === 'default' ? null : (request.style ?? null),
        priority: request.priority ?? null,
        body,
        append: request.append ?? false,
      },
      limits.annotationPriorityDefault,
    );
    await refuseTooMuch(context, subject, before, byteLength(bodyBefore ?? ''), content);
    const annotation = before
      ? await rewrite(context, before, columns(content, bodyBefore))
      : await insert(context, subject, name, content);
    recordAnnotation(context, before ? 'annotation.update' : 'annotation.create', subject.build, annotation);
    const { job: _job, ...of } = subject;
    return { ...of, annotation };
  },
});

/**
 * Columns of the content; throws where the body grows beyond its limit. HTML is rendered on the first read, outside the
 * transaction.
 */
function columns(content: AnnotationContent, bodyBefore: string | null = null) {
  if (byteLength(content.body) > limits.annotationBodyBytes)
    throw invalidField('body', `${tooLarge} together with the stored body`);
  return content.body === bodyBefore ? content : { ...content, bodyHtml: null };
}

/** Counts the annotations of a build and the bytes of their bodies; the caller has locked the build. */
async function refuseTooMuch(
  context: Context,
  { build }: Annotated,
  before: AnnotationRow | undefined | null,
  bytesBefore: number,
  { body }: AnnotationContent,
): Promise<void> {
  const bytes = byteLength(body);
  // One that does not grow is no reason for a refusal, whatever the build has from before the limit.
  if (before && bytes <= bytesBefore) return;
  const { rows } = await sql<{ count: number; bytes: number }>`select
    count(*)::int as count, coalesce(sum(octet_length(body)), 0)::float8 as bytes
    from annotations where build_id = ${build.id}`.execute(context.db);
  const { count = 0, bytes: stored = 0 } = rows[0] ?? {};
  if (!before && count >= limits.annotationsPerBuild)
    throw wrongState(`A build can have at most ${limits.annotationsPerBuild} annotations`);
  const after = stored - bytesBefore + bytes;
  if (after > limitOf('annotationsBytes'))
    throw invalidField(
      'body',
      `is too large: the annotations of a build together may ` +
        `have at most ${limitOf('annotationsBytes')} bytes; with it they would have ${after}`,
    );
}

async function rewrite(
  context: Context,
  { id }: AnnotationRow,
  changes: ReturnType<typeof columns>,
): Promise<AnnotationRow> {
  return context.db
    .updateTable('annotations')
    .set({ ...changes, updatedAt: context.now })
    .where('id', '=', id)
    .returning(annotationColumns)
    .executeTakeFirstOrThrow();
}

async function insert(
  context: Context,
  { build, job }: Annotated,
  name: string,
  content: AnnotationContent,
): Promise<AnnotationRow> {
  return context.db
    .insertInto('annotations')
    .values({
      id: context.newId(),
      organizationId: build.organizationId,
      buildId: build.id,
      jobId: job?.id ?? null,
      context: name,
      ...columns(content),
      bodyHtml: null,
      createdAt: context.now,
      updatedAt: context.now,
    })
    .returning(annotationColumns)
    .executeTakeFirstOrThrow();
}
