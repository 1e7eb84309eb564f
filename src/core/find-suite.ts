import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../request/context.js';
import { idFromEither } from '../domain/node-id.js';
import type { SuiteRow } from '../entities/database.js';
import { organizationOf } from './find-in-organization.js';
import { findOrganization } from './find.js';
import type { OrganizationSubject } from './subject.js';
import { isStorable } from '../domain/input-text.js';
import { suiteIsAccessible } from './suite-visibility.js';

const word = z.string().transform((text) => (text.length <= 300 && isStorable(text) ? text : ''));

/** By the slugs of organization and suite, or by uuid or node id. */
export const suiteAddress = z.union([z.object({ organization: word, slug: word }), z.object({ id: word })]);
export type SuiteAddress = z.output<typeof suiteAddress>;

export interface SuiteSubject extends OrganizationSubject {
  suite: SuiteRow;
  /** Whether the caller may also edit the suite. */
  editable: boolean;
}

/** Finds a suite that the caller may see; `lock` locks its row. */
export async function findSuite(
  context: Context,
  address: SuiteAddress,
  { lock = false }: { lock?: boolean } = {},
): Promise<SuiteSubject | null> {
  let query = context.db
    .selectFrom('suites as s')
    .selectAll('s')
    .select((eb) => sql<boolean>`${suiteIsAccessible(context.actor, 'edit')(eb)}`.as('editable'))
    .where(suiteIsAccessible(context.actor, 'read'));
  if (lock) query = query.forUpdate('s');
  if ('slug' in address) {
    const parent = await findOrganization(context, { slug: address.organization });
    const row =
      parent &&
      (await query
        .where('s.organizationId', '=', parent.organization.id)
        .where('s.slug', '=', address.slug)
        .executeTakeFirst());
    return parent && row ? subjectOf(parent, row) : null;
  }
  const id = idFromEither(address.id, ['Suite']);
  const row = id === null ? undefined : await query.where('s.id', '=', id).executeTakeFirst();
  const organization = await organizationOf(context, row);
  return row && organization ? subjectOf({ organization }, row) : null;
}

function subjectOf(
  { organization }: OrganizationSubject,
  { editable, ...suite }: SuiteRow & { editable: boolean },
): SuiteSubject {
  return { organization, suite, editable };
}
