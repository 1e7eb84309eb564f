import { defineEntity, p } from '@mikro-orm/core';
import { at, idOrNull } from './columns.js';

/** An organization that took an API token's access to it back: it stays back, whatever the token is given later (rulings 13). */
export const ApiTokenRevocationSchema = defineEntity({
  name: 'ApiTokenRevocation',
  tableName: 'api_token_revocations',
  properties: {
    apiTokenId: p.uuid().primary(),
    organizationId: p.uuid().primary(),
    revokedById: idOrNull(),
    createdAt: at(),
  },
});
