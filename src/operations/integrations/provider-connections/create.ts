import { z } from 'zod';
import { isUniqueViolation } from '../../../database/transaction.js';
import { limits } from '../../../domain/limits/limits.js';
import { invalidField } from '../../../domain/problem.js';
import { connectionProviders, defaultHost, hostedService } from '../../../domain/integrations/provider-connection.js';
import { organizationAddress } from '../../../core/address.js';
import { findOrganization } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import { oneOf } from '../../../domain/input-text.js';
import {
  connectionColumns,
  connectionFields,
  connectionProblems,
} from '../../../resources/integrations/provider-connections/fields.js';
import type { ConnectionSubject } from '../../../resources/integrations/provider-connections/find-connection.js';
import { refuseKnownName } from '../../../resources/integrations/provider-connections/refuse-known-name.js';

const input = z
  .object({ organization: organizationAddress, provider: oneOf(connectionProviders), ...connectionFields })
  .check(({ value, issues }) => {
    for (const { field, code } of connectionProblems(value.provider, value, true))
      issues.push({ code: 'custom', input: undefined, path: [field], message: code });
  });

/** Connects an organization to a source provider. Credentials are encrypted and never shown again. */
export const createProviderConnection = defineOperation({
  name: 'provider-connection.create',
  summary: 'Connects an organization to a source provider.',
  kind: 'command',
  scope: 'write_organization_settings',
  access: 'admin',
  input,
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (context, { organization: _, provider, ...fields }, { organization }): Promise<ConnectionSubject> => {
    const { count } = await context.db
      .selectFrom('provider_connections')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('organizationId', '=', organization.id)
      .executeTakeFirstOrThrow();
    if (Number(count) >= limits.providerConnections)
      throw invalidField(
        'provider',
        `has ${limits.providerConnections} connections, the most that an organization may have`,
      );
    const columns = connectionColumns(context, provider, fields);
    const apiUrl = columns.apiUrl ?? hostedService[provider]?.apiUrl ?? '';
    // Repositories of GitHub itself are on its one host, whatever leads to its API.
    const host = provider === 'github' ? 'github.com' : (columns.host ?? defaultHost(provider, apiUrl).toLowerCase());
    const name = columns.name ?? host;
    if (columns.name) await refuseKnownName(context, organization.id, name);
    try {
      const connection = await context.db
        .insertInto('provider_connections')
        .values({
          token: '',
          ...columns,
          id: context.newId(),
          organizationId: organization.id,
          provider,
          apiUrl,
          host,
          name,
          createdById: context.userId,
          createdAt: context.now,
          updatedAt: context.now,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      return { organization, connection };
    } catch (error) {
      if (isUniqueViolation(error)) throw invalidField('host', 'has a connection already');
      throw error;
    }
  },
});
