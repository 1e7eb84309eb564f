import { defineEntity, p } from '@mikro-orm/core';
import type { ConnectionProvider } from '../../domain/integrations/provider-connection.js';
import { at, idOrNull } from '../columns.js';

/** An organization's access to a source provider, for webhooks and commit statuses. */
export const ProviderConnectionSchema = defineEntity({
  name: 'ProviderConnection',
  tableName: 'provider_connections',
  uniques: [{ properties: ['organizationId', 'provider', 'host'] }],
  indexes: [{ properties: ['organizationId', 'id'] }],
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    provider: p.text().$type<ConnectionProvider>(),
    /** The host that repositories of this connection are on. */
    host: p.text(),
    apiUrl: p.text(),
    /** Encrypted. */
    token: p.text(),
    createdById: idOrNull(),
    createdAt: at(),
    updatedAt: at(),
  },
});
