import { defineEntity, p } from '@mikro-orm/core';
import type { StoredRateLimit } from '../../domain/integrations/provider-refusal.js';
import { at, atOrNull, json, textOrNull } from '../columns.js';

/** How a connection fares: how much it may send, and what its provider last said. */
export const ProviderConnectionStateSchema = defineEntity({
  name: 'ProviderConnectionState',
  tableName: 'provider_connection_states',
  properties: {
    connectionId: p.uuid().primary(),
    organizationId: p.uuid(),
    /** Statuses that could be sent at once as of `refilledAt` (`domain/integrations/status-pace.ts`). */
    allowance: p.double().$type<number>(),
    refilledAt: at(),
    /** Nothing is sent before. */
    pausedUntilAt: atOrNull(),
    /** The request limit as the provider last told it. */
    rateLimit: json<StoredRateLimit>().nullable(),
    /** Refusals since something was last accepted. */
    failures: p.integer().default(0),
    lastError: textOrNull(),
    lastErrorAt: atOrNull(),
    /** Since when the connection fails, rather than one of its repositories; null while it works. */
    failingSinceAt: atOrNull(),
    createdAt: at(),
  },
});
