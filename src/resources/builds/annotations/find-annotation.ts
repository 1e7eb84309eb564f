import { z } from 'zod';
import type { Context } from '../../../request/context.js';
import type { AnnotationRow } from '../../../entities/database.js';
import { isId } from '../../../core/address.js';
import { findBuild } from '../../../core/find.js';
import { type Annotated, annotationColumns, type AnnotationSubject } from './annotation.js';
import { annotatedAddress, findAnnotated, heldJobAddress, lockAnnotatedByAgent } from './find-annotated.js';

const id = z.string().max(300);

/** An annotation by its id, alone or below its build or job; or by its context, as agents name it. */
export const annotationAddress = z.object({
  annotation: z.union([
    z.object({ id, of: annotatedAddress }),
    z.object({ id }),
    heldJobAddress.extend({ context: z.string() }),
  ]),
});

type Address = z.output<typeof annotationAddress>;

/**
 * Finds an annotation whose parent the caller may see; `lock` locks its build's row. Under a build, finds annotations
 * of the build and its jobs; under a job, only the job's.
 */
export async function findAnnotation(
  context: Context,
  { annotation: address }: Address,
  finding: { lock?: boolean } = {},
): Promise<AnnotationSubject | null> {
  if ('heldJob' in address) {
    const of = await lockAnnotatedByAgent(context, address);
    return of && withAnnotation(of, await annotationOf(context, of, address.context));
  }
  if (!isId(address.id)) return null;
  const of =
    'of' in address ? await findAnnotated(context, address.of, finding) : await ownerOf(context, address.id, finding);
  const row = of && (await byId(context, address.id));
  if (!of || row?.buildId !== of.build.id || (of.job && row.jobId !== of.job.id)) return null;
  return withAnnotation(of, row);
}

/** Finds the annotation of a build or job with this context. */
export async function annotationOf(
  context: Context,
  { build, job }: Annotated,
  name: string,
): Promise<AnnotationRow | null> {
  const query = context.db.selectFrom('annotations').select(annotationColumns).where('context', '=', name);
  const row = await (
    job ? query.where('jobId', '=', job.id) : query.where('buildId', '=', build.id).where('jobId', 'is', null)
  ).executeTakeFirst();
  return row ?? null;
}

async function ownerOf(context: Context, annotation: string, finding: { lock?: boolean }): Promise<Annotated | null> {
  const row = await byId(context, annotation);
  const parent = row && (await findBuild(context, { id: row.buildId }, finding));
  return parent ? { ...parent, job: null } : null;
}

async function byId(context: Context, annotation: string): Promise<AnnotationRow | null> {
  return (
    (await context.db
      .selectFrom('annotations')
      .select(annotationColumns)
      .where('id', '=', annotation)
      .executeTakeFirst()) ?? null
  );
}

function withAnnotation({ job: _job, ...of }: Annotated, annotation: AnnotationRow | null): AnnotationSubject | null {
  return annotation && { ...of, annotation };
}
