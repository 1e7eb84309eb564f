import type { Context } from '../../context.js';
import type { ProviderConnectionRow } from '../../entities/database.js';
import { type InOrganizationAddress, isId } from '../address.js';
import { organizationOf } from '../find-in-organization.js';
import type { OrganizationSubject } from '../subject.js';

export interface ConnectionSubject extends OrganizationSubject {
  connection: ProviderConnectionRow;
}

/** The connection a caller names, if it is a member of its organization. */
export async function findConnection(context: Context, address: InOrganizationAddress): Promise<ConnectionSubject | null> {
  if (!isId(address.id)) return null;
  const connection = await context.db.selectFrom('provider_connections').selectAll().where('id', '=', address.id).executeTakeFirst();
  const organization = await organizationOf(context, connection, 'organization' in address ? address.organization : undefined);
  return connection && organization ? { organization, connection } : null;
}
