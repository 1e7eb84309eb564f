import type { Context } from '../../../request/context.js';
import { encodeNodeId } from '../../../domain/node-id.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import { formatTime } from '../../../domain/time.js';
import type { UserRow } from '../../../entities/database.js';
import type { AccessToken } from '../../../resources/organizations/api-tokens/own-token.js';
import { arrayOf, described, nullable, object, reference, text, time, uuid } from '../../openapi/schema.js';
import { field, resource } from '../fields.js';
import { timeOrNull } from '../values.js';
import { presentUserById } from './user.js';

const ownerSchema = object({
  email: described(text, 'Email address of the user.'),
  name: described(text, 'Full name of the user.'),
});

/** The token of the request itself; its value is never shown. */
export const accessTokenResource = resource<{ token: AccessToken; user: UserRow }>({
  uuid: field(uuid, 'ID of the token.', ({ token }) => token.id),
  scopes: field(arrayOf(text), 'Scopes of the token.', ({ token }) => token.scopes),
  description: field(text, 'Description of the token.', ({ token }) => token.description),
  created_at: field(time, 'Time the token was created.', ({ token }) => formatTime(token.createdAt)),
  expires_at: field(nullable(time), 'Time the token expires; null if it does not.', ({ token }) =>
    timeOrNull(token.expiresAt),
  ),
  user: field(ownerSchema, 'User that the token belongs to.', ({ user }) => ({ email: user.email, name: user.name })),
});

export function presentAccessToken(token: AccessToken, user: UserRow): Promise<JsonObject> {
  return accessTokenResource.present({ token, user });
}

/** A member's token as administrators of an organization see it; its value is never shown. */
export const organizationAccessTokenResource = resource<{ context: Context; token: AccessToken }>({
  uuid: field(uuid, 'ID of the token.', ({ token }) => token.id),
  graphql_id: field(text, 'ID of the token in the GraphQL API.', ({ token }) =>
    encodeNodeId('APIAccessToken', token.id),
  ),
  description: field(text, 'Description of the token.', ({ token }) => token.description),
  scopes: field(arrayOf(text), 'Scopes of the token.', ({ token }) => token.scopes),
  created_at: field(time, 'Time the token was created.', ({ token }) => formatTime(token.createdAt)),
  expires_at: field(nullable(time), 'Time the token expires; null if it does not.', ({ token }) =>
    timeOrNull(token.expiresAt),
  ),
  owner: field(nullable(reference('User')), 'User that the token belongs to.', ({ context, token }) =>
    presentUserById(context, token.userId),
  ),
});

export function presentOrganizationToken(context: Context, token: AccessToken): Promise<JsonObject> {
  return organizationAccessTokenResource.present({ context, token });
}
