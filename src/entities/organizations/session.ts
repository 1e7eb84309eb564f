import { defineEntity, p } from '@mikro-orm/core';
import type { SignInMethod } from '../../domain/organizations/sso-mode.js';
import { at, atOrNull, textOrNull } from '../columns.js';

/** A person signed in to the console with a browser. Signing out and revoking delete the row. */
export const SessionSchema = defineEntity({
  name: 'Session',
  tableName: 'sessions',
  uniques: [{ properties: ['tokenHash'] }, { properties: ['previousTokenHash'] }],
  indexes: [{ properties: ['userId', 'id'] }, { properties: ['expiresAt'] }],
  properties: {
    id: p.uuid().primary(),
    userId: p.uuid(),
    method: p.text().$type<SignInMethod>(),
    tokenHash: p.text(),
    /** Hash of the token before the last rotation: requests under way still carry it. */
    previousTokenHash: textOrNull(),
    /** When the previous token ends; null until the browser has shown that it got the current one. */
    previousExpiresAt: atOrNull(),
    rotatedAt: at(),
    createdAt: at(),
    expiresAt: at(),
    lastUsedAt: at(),
    ipAddress: textOrNull(),
    userAgent: textOrNull(),
  },
});
