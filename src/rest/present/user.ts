import type { Context } from '../../context.js';
import { encodeNodeId } from '../../domain/node-id.js';
import type { JsonObject } from '../../domain/steps/step.js';
import { formatTime } from '../../domain/time.js';
import type { UserRow } from '../../entities/database.js';
import { loadOrNull } from '../../loaders.js';
import { webUrls } from '../../web-urls.js';

/** A user as every reply shows one (api-v2.md, User summary). */
export function presentUser(baseUrl: string, user: UserRow): JsonObject {
  return {
    id: user.id,
    graphql_id: encodeNodeId('User', user.id),
    name: user.name,
    email: user.email,
    avatar_url: webUrls.avatar(baseUrl, user.email),
    created_at: formatTime(user.createdAt),
  };
}

/** The user an id leads to; null where there is none. */
export async function presentUserById(context: Context, id: string | null): Promise<JsonObject | null> {
  const user = await loadOrNull(context.load.user, id);
  return user && presentUser(context.services.baseUrl, user);
}
