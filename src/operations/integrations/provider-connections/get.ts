import { z } from 'zod';
import { inOrganization } from '../../../core/address.js';
import { defineOperation } from '../../../core/operation.js';
import {
  type ConnectionSubject,
  findConnection,
} from '../../../resources/integrations/provider-connections/find-connection.js';

/** Returns one connection, without its token. */
export const getProviderConnection = defineOperation({
  name: 'provider-connection.get',
  summary: 'Returns one connection of an organization to a source provider.',
  kind: 'query',
  scope: 'read_organization_repository_connections',
  access: 'member',
  input: z.object({ connection: inOrganization }),
  subject: (context, { connection }) => findConnection(context, connection),
  run: async (_context, _input, subject): Promise<ConnectionSubject> => subject,
});
