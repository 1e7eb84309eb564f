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
    await context.db.deleteFrom('provider_connections').where('id', '=', subject.connection.id).execute();
    return subject;
  },
});
