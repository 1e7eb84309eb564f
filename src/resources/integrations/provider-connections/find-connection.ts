import type { Context } from '../../../request/context.js';
import type { ProviderConnectionRow } from '../../../entities/database.js';
import { type InOrganizationAddress, isId } from '../../../core/address.js';
import { organizationOf } from '../../../core/find-in-organization.js';
import type { OrganizationSubject } from '../../../core/subject.js';

export interface ConnectionSubject extends OrganizationSubject {
  connection: ProviderConnectionRow;
}

/** Finds a connection of an organization that the caller is a member of. */
export async function findConnection(
  context: Context,
  address: InOrganizationAddress,
): Promise<ConnectionSubject | null> {
  if (!isId(address.id)) return null;
  const connection = await context.db
    .selectFrom('provider_connections')
    .selectAll()
    .where('id', '=', address.id)
    .executeTakeFirst();
  const organization = await organizationOf(
    context,
    connection,
    'organization' in address ? address.organization : undefined,
  );
  return connection && organization ? { organization, connection } : null;
}
