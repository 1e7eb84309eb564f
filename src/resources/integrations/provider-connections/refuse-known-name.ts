import type { Context } from '../../../request/context.js';
import { invalidField } from '../../../domain/problem.js';

/** Throws for a name that another connection of the organization has: the provisioning file knows connections by it. */
export async function refuseKnownName(
  { db }: Context,
  organizationId: string,
  name: string,
  exceptId: string | null = null,
): Promise<void> {
  const known = await db
    .selectFrom('provider_connections')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('name', '=', name)
    .$if(exceptId !== null, (query) => query.where('id', '!=', exceptId))
    .executeTakeFirst();
  if (known) throw invalidField('name', 'is the name of another connection');
}
