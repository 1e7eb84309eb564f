import { defineEntity, p } from '@mikro-orm/core';
import type { ConnectionProvider } from '../../domain/integrations/provider-connection.js';
import type { StoredRateLimit } from '../../domain/integrations/provider-refusal.js';
import { at, atOrNull, idOrNull, json, textOrNull } from '../columns.js';

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
    /** Encrypted: the token, or the private key of an App. */
    token: p.text(),
    /** Name that people and the provisioning file call it by; null for connections of earlier releases. */
    name: textOrNull(),
    /** Account of the token, where the host wants both. */
    username: textOrNull(),
    /** ID of an App; null for a token. */
    appId: textOrNull(),
    /** Encrypted: the secret that webhooks made through this connection are signed with; each has its own if null. */
    webhookSecret: textOrNull(),
    /** Account that the credential belongs to, as of the last check. */
    account: textOrNull(),
    /** The request limit as the provider last told it. */
    rateLimit: json<StoredRateLimit>().nullable(),
    /** Since when the connection fails, rather than one of its repositories; null while it works. */
    failingSinceAt: atOrNull(),
    /** The last refusal, with the words of the provider; stays after it works again. */
    lastError: textOrNull(),
    lastErrorAt: atOrNull(),
    createdById: idOrNull(),
    createdAt: at(),
    updatedAt: at(),
  },
});
