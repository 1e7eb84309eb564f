import { retryOfExport } from '../../../domain/retention/build-export.js';
import type { Db } from '../../../entities/database.js';
import type { Services } from '../../../services/services.js';

type Installation = Pick<Services, 'db' | 'clock'>;

/** Builds among these that are exported, or whose export failed and is not to be tried again yet. */
export async function knownExports(
  { db, clock }: Installation,
  buildIds: readonly string[],
): Promise<{ exported: ReadonlySet<string>; waiting: ReadonlySet<string> }> {
  const rows =
    buildIds.length === 0
      ? []
      : await db
          .selectFrom('build_exports')
          .select(['buildId', 'exportedAt', 'nextAttemptAt'])
          .where('buildId', 'in', buildIds)
          .execute();
  const now = clock.now();
  const failed = rows.filter(({ exportedAt }) => exportedAt === null);
  const waiting = failed.filter(({ nextAttemptAt }) => nextAttemptAt === null || nextAttemptAt > now);
  return {
    exported: new Set(rows.filter(({ exportedAt }) => exportedAt !== null).map(({ buildId }) => buildId)),
    waiting: new Set(waiting.map(({ buildId }) => buildId)),
  };
}

/** Notes that a build could not be exported, and when to try again; `isLast` if not by itself any more. */
export async function noteFailure(
  { db, clock }: Installation,
  { id: buildId, organizationId }: { id: string; organizationId: string },
  error: string,
): Promise<{ attempts: number; isLast: boolean }> {
  const failedAt = clock.now();
  const before = await db
    .selectFrom('build_exports')
    .select('attempts')
    .where('buildId', '=', buildId)
    .executeTakeFirst();
  const attempts = (before?.attempts ?? 0) + 1;
  const waitMs = retryOfExport(attempts);
  const nextAttemptAt = waitMs === null ? null : new Date(failedAt.getTime() + waitMs);
  const values = { attempts, error, failedAt, nextAttemptAt };
  await db
    .insertInto('build_exports')
    .values({ buildId, organizationId, ...values })
    .onConflict((conflict) => conflict.column('buildId').doUpdateSet(values))
    .execute();
  return { attempts, isLast: waitMs === null };
}

/** Notes, in the transaction that deletes a part of a build, that it was exported whole before. */
export async function noteExported(
  trx: Db,
  { id: buildId, organizationId }: { id: string; organizationId: string },
  exportedAt: Date,
): Promise<void> {
  await trx
    .insertInto('build_exports')
    .values({ buildId, organizationId, exportedAt })
    .onConflict((conflict) => conflict.column('buildId').doUpdateSet({ exportedAt }))
    .execute();
}

/** Forgets failed exports, of one organization or all: they are tried again by the next pass. */
export async function forgetFailures(db: Db, organizationId?: string): Promise<void> {
  await db
    .deleteFrom('build_exports')
    .where('exportedAt', 'is', null)
    .$if(organizationId !== undefined, (query) => query.where('organizationId', '=', organizationId ?? ''))
    .execute();
}
