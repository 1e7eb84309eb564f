import { defineEntity, p } from '@mikro-orm/core';
import { at, atOrNull } from '../columns.js';

/** What a connection may send now. */
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
    /** Refusals since something was last accepted. */
    failures: p.integer().default(0),
    createdAt: at(),
  },
});
