import { z } from 'zod';
import { isUniqueViolation } from '../../../database/transaction.js';
import { invalid, invalidField } from '../../../domain/problem.js';
import { inOrganization } from '../../../core/address.js';
import { defineOperation } from '../../../core/operation.js';
import {
  connectionColumns,
  connectionFields,
  connectionProblems,
} from '../../../resources/integrations/provider-connections/fields.js';
import {
  type ConnectionSubject,
  findConnection,
} from '../../../resources/integrations/provider-connections/find-connection.js';
import { refuseKnownName } from '../../../resources/integrations/provider-connections/refuse-known-name.js';
import { resumeConnection } from '../../../resources/integrations/provider-connections/resume.js';

/** Changes a connection, such as its token when the old one expires. What waited for it is sent at once. */
export const updateProviderConnection = defineOperation({
  name: 'provider-connection.update',
  summary: 'Changes a connection of an organization to a source provider.',
  kind: 'command',
  scope: 'write_organization_settings',
  access: 'admin',
  input: z.object({ connection: inOrganization, ...connectionFields }),
  subject: (context, { connection }) => findConnection(context, connection),
  run: async (context, { connection: _, ...fields }, subject: ConnectionSubject): Promise<ConnectionSubject> => {
    const { organization, connection: row } = subject;
    const problems = connectionProblems(row.provider, fields, false);
    if (problems.length > 0) throw invalid(problems);
    if (fields.name) await refuseKnownName(context, organization.id, fields.name, row.id);
    try {
      const connection = await context.db
        .updateTable('provider_connections')
        .set({ ...connectionColumns(context, row.provider, fields), updatedAt: context.now })
        .where('id', '=', row.id)
        .returningAll()
        .executeTakeFirstOrThrow();
      await resumeConnection(context, row.id);
      return { organization, connection };
    } catch (error) {
      if (isUniqueViolation(error)) throw invalidField('host', 'has a connection already');
      throw error;
    }
  },
});
