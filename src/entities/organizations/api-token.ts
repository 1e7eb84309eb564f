import { defineEntity, p } from '@mikro-orm/core';
import { at, atOrNull, textList } from '../columns.js';

export const ApiTokenSchema = defineEntity({
  name: 'ApiToken',
  tableName: 'api_tokens',
  indexes: [{ properties: ['userId', 'description'] }],
  properties: {
    id: p.uuid().primary(),
    userId: p.uuid(),
    description: p.text(),
    tokenHash: p.text().unique(),
    scopes: textList(),
    /** True: every organization the user is a member of, also later ones; else `api_token_organizations`. */
    allOrganizations: p.boolean().default(false),
    expiresAt: atOrNull(),
    revokedAt: atOrNull(),
    createdAt: at(),
  },
});
