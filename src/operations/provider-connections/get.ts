import { z } from 'zod';
import { inOrganization } from '../address.js';
import { defineOperation } from '../operation.js';
import { type ConnectionSubject, findConnection } from './find-connection.js';

/** One connection; never its token. */
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
