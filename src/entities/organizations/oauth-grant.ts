import { defineEntity, p } from '@mikro-orm/core';
import type { GrantKind, GrantState } from '../../domain/organizations/oauth/grant-state.js';
import { at, atOrNull, idOrNull, textList, textOrNull } from '../columns.js';

/** The answer of a person to a program that asks for access, until the program has fetched its token. */
export const OauthGrantSchema = defineEntity({
  name: 'OauthGrant',
  tableName: 'oauth_grants',
  indexes: [{ properties: ['expiresAt'] }, { properties: ['userId', 'expiresAt'] }],
  properties: {
    id: p.uuid().primary(),
    kind: p.text().$type<GrantKind>(),
    state: p.text().$type<GrantState>(),
    /** The `client_id`: that of a registered program or of a known one. */
    client: p.text(),
    clientName: p.text(),
    /** Hash of the code or device code that the program shows. */
    secretHash: p.text().unique(),
    /** Hash of the code that a person types; null for a browser's. */
    userCodeHash: textOrNull().unique(),
    scopes: textList(),
    /** Whose access it is; null before somebody has answered. */
    userId: idOrNull(),
    /** Ids of the organizations that the token is for. */
    organizations: textList(),
    /** Where the browser was sent back to; null for a device. */
    redirectUri: textOrNull(),
    codeChallenge: textOrNull(),
    /** What the token is asked for (RFC 8707); null where the program named nothing. */
    resource: textOrNull(),
    /** The token that came out, which ends if the code is shown again. */
    apiTokenId: idOrNull(),
    /** When the device asked last, and the seconds it has to wait in between. */
    polledAt: atOrNull(),
    pollSeconds: p.integer(),
    createdAt: at(),
    expiresAt: at(),
  },
});
