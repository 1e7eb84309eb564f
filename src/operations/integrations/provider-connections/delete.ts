import { z } from 'zod';
import { inOrganization } from '../../../core/address.js';
import { defineOperation } from '../../../core/operation.js';
import {
  type ConnectionSubject,
  findConnection,
} from '../../../resources/integrations/provider-connections/find-connection.js';

/** Deletes a connection. Webhooks created through it stay at the provider, and their deliveries are still accepted. */
export const deleteProviderConnection = defineOperation({
  name: 'provider-connection.delete',
  summary: 'Deletes a connection of an organization to a source provider.',
  kind: 'command',
  scope: 'write_organization_settings',
  access: 'admin',
  input: z.object({ connection: inOrganization }),
  subject: (context, { connection }) => findConnection(context, connection),
  run: async (context, _input, subject: ConnectionSubject): Promise<ConnectionSubject> => {
    const { id } = subject.connection;
    await context.db.deleteFrom('provider_connections').where('id', '=', id).execute();
    await context.db.deleteFrom('provider_connection_states').where('connectionId', '=', id).execute();
    // Another connection to the host sends what is due, or it is refused with the reason.
    await context.db
      .updateTable('commit_statuses')
      .set({ connectionId: null, leasedUntilAt: null })
      .where('connectionId', '=', id)
      .where('nextAttemptAt', 'is not', null)
      .execute();
    return subject;
  },
});
