import type { Context } from '../../request/context.js';
import { isUniqueViolation } from '../../database/transaction.js';
import { type FieldProblem, invalid, invalidField } from '../../domain/problem.js';
import { slugFromName } from '../../domain/slug.js';

const nameConflict = 'has already been taken';

/** A pipeline's name with its slug; `derived` if the slug was derived from the name. */
export interface Naming {
  name: string;
  slug: string;
  derived: boolean;
}

/**
 * Returns a name with its slug: the requested one, else derived; throws 422 on `slug` if the name has no usable
 * character.
 */
export function nameWithSlug(name: string, slug: string | null | undefined): Naming {
  if (slug != null) return { name, slug, derived: false };
  const derivedSlug = slugFromName(name);
  if (derivedSlug === null) throw invalidField('slug', 'cannot be derived from the name');
  return { name, slug: derivedSlug, derived: true };
}

/** Refuses a name or slug that another pipeline of the organization has; `exceptId` is the pipeline itself. */
export async function refuseTaken(
  context: Context,
  organizationId: string,
  naming: Naming,
  exceptId: string | null = null,
): Promise<void> {
  let query = context.db
    .selectFrom('pipelines')
    .select(['name', 'slug'])
    .where('organizationId', '=', organizationId)
    .where((eb) => eb.or([eb('name', '=', naming.name), eb('slug', '=', naming.slug)]));
  if (exceptId !== null) query = query.where('id', '!=', exceptId);
  const others = await query.execute();
  const problems: FieldProblem[] = [];
  const nameTaken = others.some((other) => other.name === naming.name);
  if (nameTaken) problems.push({ field: 'name', code: nameConflict });
  // If the name is taken, its derived slug is too, which would be reported twice.
  if (others.some((other) => other.slug === naming.slug) && !(nameTaken && naming.derived))
    problems.push({ field: 'slug', code: nameConflict });
  if (problems.length > 0) throw invalid(problems);
}

/** Turns a unique violation into the problem that the earlier check would have thrown. */
export function takenMeanwhile(error: unknown): unknown {
  if (isUniqueViolation(error, 'pipelines_organization_id_name_unique')) return invalidField('name', nameConflict);
  if (isUniqueViolation(error, 'pipelines_organization_id_slug_unique')) return invalidField('slug', nameConflict);
  return error;
}
