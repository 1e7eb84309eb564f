import type { Context } from '../../../request/context.js';
import { encodeNodeId } from '../../../domain/node-id.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import { formatTime } from '../../../domain/time.js';
import type { UserRow } from '../../../entities/database.js';
import { webUrls } from '../../../services/web-urls.js';
import { text, time, url, uuid } from '../../openapi/schema.js';
import { field, resource } from '../fields.js';

export const userResource = resource<{ user: UserRow; baseUrl: string }>({
  id: field(uuid, 'ID of the user.', ({ user }) => user.id),
  graphql_id: field(text, 'ID of the user in the GraphQL API.', ({ user }) => encodeNodeId('User', user.id)),
  name: field(text, 'Full name of the user.', ({ user }) => user.name),
  email: field(text, 'Email address of the user.', ({ user }) => user.email),
  avatar_url: field(url, 'URL of the avatar image.', ({ user, baseUrl }) => webUrls.avatar(baseUrl, user.email)),
  created_at: field(time, 'Time the user was created.', ({ user }) => formatTime(user.createdAt)),
});

export function presentUser(baseUrl: string, user: UserRow): Promise<JsonObject> {
  return userResource.present({ user, baseUrl });
}

/** Presents the user with this ID. Most rows of a list have none, so null is returned without a promise. */
export function presentUserById(context: Context, id: string | null): null | Promise<JsonObject | null> {
  return id === null ? null : loadAndPresent(context, id);
}

async function loadAndPresent(context: Context, id: string): Promise<JsonObject | null> {
  const user = await context.load.user.load(id);
  return user && presentUser(context.services.baseUrl, user);
}
