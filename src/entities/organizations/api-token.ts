import { defineEntity, p } from '@mikro-orm/core';
import { at, atOrNull, textList, textOrNull } from '../columns.js';

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
    /** Written in the background, so up to a minute late; null for never. */
    lastUsedAt: atOrNull(),
    /**
     * Last change by the token, at most `limits.ownWritesNoteMs` early: written while there is a read replica; null for
     * none.
     */
    wroteAt: atOrNull(),
    lastUsedIpAddress: textOrNull(),
    createdAt: at(),
  },
});
