import { z } from 'zod';
import { isUniqueViolation } from '../../../database/transaction.js';
import { limits } from '../../../domain/limits/limits.js';
import { invalidField } from '../../../domain/problem.js';
import { connectionProviders } from '../../../domain/integrations/provider-connection.js';
import { organizationAddress } from '../../../core/address.js';
import { findOrganization } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import { filledText, oneOf, text } from '../../../domain/input-text.js';
import { sealToken } from '../../../engine/notifications/connection-access.js';
import type { ConnectionSubject } from '../../../resources/integrations/provider-connections/find-connection.js';

const isWebUrl = (value: string) =>
  URL.canParse(value) &&
  ['https:', 'http:'].includes(new URL(value).protocol) &&
  new URL(value).username === '' &&
  new URL(value).search === '';

const input = z
  .object({
    organization: organizationAddress,
    provider: oneOf(connectionProviders),
    /** Root URL of the provider's API; the hosted provider's by default. */
    apiUrl: text(limits.repositoryUrlLength).refine(isWebUrl, 'must be a URL').nullish(),
    /** Host of the repositories; the API's host by default. */
    host: text(limits.nameLength).nullish(),
    token: filledText(limits.providerSecretLength),
  })
  .check(({ value, issues }) => {
    if (value.provider === 'github_enterprise' && !value.apiUrl)
      issues.push({ code: 'custom', input: undefined, path: ['apiUrl'], message: 'missing' });
  });

/** Connects an organization to a source provider. The token is encrypted and never shown again. */
export const createProviderConnection = defineOperation({
  name: 'provider-connection.create',
  summary: 'Connects an organization to a source provider.',
  kind: 'command',
  scope: 'write_organization_settings',
  access: 'admin',
  input,
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (context, { provider, apiUrl: givenUrl, host, token }, { organization }): Promise<ConnectionSubject> => {
    const apiUrl = (givenUrl || 'https://api.github.com').replace(/\/+$/, '');
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
    const row = {
      id: context.newId(),
      organizationId: organization.id,
      provider,
      host: (provider === 'github' ? 'github.com' : host || new URL(apiUrl).hostname).toLowerCase(),
      apiUrl,
      token: sealToken(context.services, token),
      createdById: context.userId,
      createdAt: context.now,
      updatedAt: context.now,
    };
    try {
      const connection = await context.db
        .insertInto('provider_connections')
        .values(row)
        .returningAll()
        .executeTakeFirstOrThrow();
      return { organization, connection };
    } catch (error) {
      if (isUniqueViolation(error)) throw invalidField('host', 'has a connection already');
      throw error;
    }
  },
});
