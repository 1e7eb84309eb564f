import { z } from 'zod';
import { inOrganization } from '../address.js';
import { defineOperation } from '../operation.js';
import { type ConnectionSubject, findConnection } from './find-connection.js';

/** Ends a connection. Webhooks made through it stay at the provider, and their deliveries are still taken. */
export const deleteProviderConnection = defineOperation({
  name: 'provider-connection.delete',
  summary: 'Deletes a connection of an organization to a source provider.',
  kind: 'command',
  scope: 'write_organization_settings',
  access: 'admin',
  input: z.object({ connection: inOrganization }),
  subject: (context, { connection }) => findConnection(context, connection),
  run: async (context, _input, subject: ConnectionSubject): Promise<ConnectionSubject> => {
    await context.db.deleteFrom('provider_connections').where('id', '=', subject.connection.id).execute();
    return subject;
  },
});
