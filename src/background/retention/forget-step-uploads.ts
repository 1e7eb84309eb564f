import { isChosen, place } from '../../database/chosen-rows.js';
import type { Services } from '../../services/services.js';
import { limits } from '../../domain/limits/limits.js';

const atOnce = 500;

/** Deletes the texts of old pipeline uploads; the uploads stay. Returns the number deleted, at most five hundred. */
export async function forgetStepUploads({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<number> {
  const old = db
    .selectFrom('step_uploads')
    .select(place('step_uploads').as('place'))
    .where('createdAt', '<', new Date(clock.now().getTime() - limits.uploadKeptDays * 86_400_000))
    .where('definition', 'is not', null)
    .orderBy('createdAt')
    .limit(atOnce)
    .forUpdate()
    .skipLocked();
  const result = await db.updateTable('step_uploads').set({ definition: null }).where(isChosen(old)).executeTakeFirst();
  return Number(result.numUpdatedRows);
}
