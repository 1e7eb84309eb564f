import type { JsonObject } from '../../domain/steps/step.js';
import { formatTime } from '../../domain/time.js';
import type { UserRow } from '../../entities/database.js';
import type { AccessToken } from '../../operations/tokens/own-token.js';
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
