import type { Context } from '../../context.js';
import { encodeNodeId } from '../../domain/node-id.js';
import type { JsonObject } from '../../domain/steps/step.js';
import { formatTime } from '../../domain/time.js';
import type { UserRow } from '../../entities/database.js';
import type { AccessToken } from '../../operations/tokens/own-token.js';
import { presentUserById } from './user.js';
import { timeOrNull } from './values.js';

/** The token of the request itself; never its value (rest-facts 1.9). */
export function presentAccessToken(token: AccessToken, user: UserRow): JsonObject {
  return {
    uuid: token.id,
    scopes: token.scopes,
    description: token.description,
    created_at: formatTime(token.createdAt),
    expires_at: timeOrNull(token.expiresAt),
    user: { email: user.email, name: user.name },
  };
}

/** A member's token as administrators of an organization see it; never its value. */
export async function presentOrganizationToken(context: Context, token: AccessToken): Promise<JsonObject> {
  return {
    uuid: token.id,
    graphql_id: encodeNodeId('APIAccessToken', token.id),
    description: token.description,
    scopes: token.scopes,
    created_at: formatTime(token.createdAt),
    expires_at: timeOrNull(token.expiresAt),
    owner: await presentUserById(context, token.userId),
  };
}
