import type { JsonObject } from '../../domain/pipelines/steps/step.js';
import type { Db, NotificationServiceRow } from '../../entities/database.js';

/** `sender` of a payload: the user who created the service; null if deleted. */
export async function senderOf(db: Db, service: NotificationServiceRow | null): Promise<JsonObject | null> {
  if (!service?.createdById) return null;
  const user = await db
    .selectFrom('users')
    .select(['id', 'name'])
    .where('id', '=', service.createdById)
    .executeTakeFirst();
  return user ? { id: user.id, name: user.name } : null;
}
