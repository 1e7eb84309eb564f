import { sql } from 'kysely';
import type { Services } from '../../services/services.js';
import { isChosen, place } from '../../database/chosen-rows.js';
import { limits } from '../../domain/limits/limits.js';
import { discardBytes } from '../../resources/builds/artifacts/discard-bytes.js';
import { asSystem } from '../../core/system-transaction.js';

const atOnce = 200;
/** As long as the token of an ended job works: until then its agent may still report. */
const afterJobMs = 60 * 60_000;

/**
 * Fails artifacts whose upload never finished: they end in `error`, and their partial bytes are deleted. Returns the
 * number of artifacts.
 */
export async function failUnfinishedArtifacts(services: Services): Promise<number> {
  const now = services.clock.now().getTime();
  const registered = new Date(now - limits.artifactUploadHours * 3_600_000).toISOString();
  const ended = new Date(now - afterJobMs).toISOString();
  return asSystem(services, 'artifacts', async (context) => {
    const over = context.db
      .selectFrom('artifacts as a')
      .leftJoin('jobs as j', 'j.id', 'a.jobId')
      .select(place('a').as('place'))
      .where('a.state', '=', 'new')
      .where(sql<boolean>`(a.created_at <= ${registered}::timestamptz or j.finished_at <= ${ended}::timestamptz)`)
      .orderBy('a.createdAt')
      .orderBy('a.id')
      .limit(atOnce)
      .forUpdate('a')
      .skipLocked();
    const rows = await context.db
      .updateTable('artifacts')
      .set({ state: 'error', finishedAt: context.now })
      .where(isChosen(over))
      .where('state', '=', 'new')
      .returning(['id', 'organizationId', 'buildId', 'uploadDestination'])
      .execute();
    for (const organizationId of new Set(rows.map((row) => row.organizationId)))
      discardBytes(
        context,
        rows.filter((row) => row.organizationId === organizationId),
      );
    return rows.length;
  });
}
