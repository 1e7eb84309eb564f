import { defineEntity, p } from '@mikro-orm/core';
import { at, idOrNull } from '../columns.js';

/** An organization that revoked an API token's access to it; the revocation outlasts later changes of the token. */
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
