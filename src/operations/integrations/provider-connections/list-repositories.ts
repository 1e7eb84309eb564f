import { z } from 'zod';
import { inOrganization } from '../../../core/address.js';
import { defineOperation } from '../../../core/operation.js';
import { text } from '../../../domain/input-text.js';
import { limits } from '../../../domain/limits/limits.js';
import { Problem, wrongState } from '../../../domain/problem.js';
import { openConnection } from '../../../engine/notifications/connection-access.js';
import { findConnection } from '../../../resources/integrations/provider-connections/find-connection.js';
import { type ProviderRepository, ProviderRefusal } from '../../../services/source-providers.js';

const defaultWaitSeconds = 60;

/** Lists repositories that a connection reaches, at most 100. */
export const listProviderRepositories = defineOperation({
  name: 'provider-connection.list-repositories',
  summary: 'Lists repositories that a connection to a source provider reaches.',
  kind: 'query',
  scope: 'read_organization_repository_connections',
  access: 'admin',
  refusal: 'sentence',
  input: z.object({
    connection: inOrganization,
    /** Part of a name. */
    repository: text(limits.repositorySearchLength).nullish(),
  }),
  subject: (context, { connection }) => findConnection(context, connection),
  run: async (context, { repository }, { connection }): Promise<ProviderRepository[]> => {
    try {
      return await openConnection(context.services, connection).repositories.list(repository || null);
    } catch (error) {
      if (!(error instanceof ProviderRefusal)) throw error;
      const { kind, waitMs } = error.facts;
      if (kind === 'credential' || kind === 'final')
        throw wrongState(`The repositories could not be listed: ${error.reason}`);
      throw new Problem('unavailable', `The repositories cannot be listed now: ${error.reason}`, {
        retryAfter: Math.ceil((waitMs ?? defaultWaitSeconds * 1000) / 1000),
      });
    }
  },
});
