import type { Context } from '../../../request/context.js';
import type { NewRow } from '../../../entities/database.js';

/** A resource whose row the transaction has deleted. */
export type DeletedResource = Pick<NewRow<'deletions'>, 'organizationId' | 'resource' | 'resourceId' | 'name'>;

/** Rows of one statement. */
const atOnce = 1000;

/**
 * Leaves what belongs to deleted resources to the background task `deletions`, in the transaction that deletes their
 * rows: a resource is there, or is being purged, and never neither.
 */
export async function queueDeletions(context: Context, resources: readonly DeletedResource[]): Promise<void> {
  const rows = resources.map((resource) => ({
    id: context.newId(),
    ...resource,
    availableAt: context.now,
    createdAt: context.now,
  }));
  for (let start = 0; start < rows.length; start += atOnce)
    await context.db
      .insertInto('deletions')
      .values(rows.slice(start, start + atOnce))
      .execute();
}
