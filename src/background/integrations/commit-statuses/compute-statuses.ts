import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Context } from '../../../request/context.js';
import type { Services } from '../../../services/services.js';
import { asSystem } from '../../../core/system-transaction.js';
import type { SentCheck } from '../../../domain/integrations/check-run.js';
import { isCanonicalSha } from '../../../domain/builds/git-commit-text.js';
import type { CommitStatus } from '../../../domain/integrations/commit-status.js';
import { statusPace } from '../../../domain/integrations/status-pace.js';
import type { BuildRow, NewRow, ProviderConnectionRow } from '../../../entities/database.js';
import { connectionOf, repositoryAt } from '../../../engine/notifications/connection-access.js';
import { wantedStatuses } from '../../../engine/notifications/wanted-statuses.js';
import { eachAlone } from '../../each-alone.js';

const atOnce = 20;
const putOffMs = 5 * 60_000;

/**
 * Computes the commit statuses of builds that changed, and stores those that are not as they were; true if there were
 * any. A build that changes meanwhile is computed again.
 */
export async function computeCommitStatuses(services: Services): Promise<boolean> {
  const due = await services.db
    .selectFrom('commit_status_marks')
    .select('buildId')
    .where('dueAt', '<=', services.clock.now())
    .orderBy('dueAt')
    .limit(atOnce)
    .execute();
  await eachAlone(
    services,
    'commit-status-marks',
    due,
    (_services, { buildId }) => asSystem(services, 'commit-statuses', (context) => computeBuild(context, buildId)),
    ({ buildId }) => putOff(services, buildId),
    ({ buildId }) => buildId,
  );
  return due.length > 0;
}

async function computeBuild(context: Context, buildId: string): Promise<boolean> {
  const { db } = context;
  // First the build, then its mark, as changes lock them. Nothing is added to a build that is being deleted, and
  // whatever has left the mark is committed once the mark is ours.
  await db.selectFrom('builds').select('id').where('id', '=', buildId).forKeyShare().execute();
  const mark = await db
    .selectFrom('commit_status_marks')
    .select('buildId')
    .where('buildId', '=', buildId)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (!mark) return false;
  await db.deleteFrom('commit_status_marks').where('buildId', '=', buildId).execute();
  const build = await db.selectFrom('builds').selectAll().where('id', '=', buildId).executeTakeFirst();
  const pipeline = build && (await context.uncheckedRows.pipeline.load(build.pipelineId));
  const connection = pipeline && (await connectionOf(db, pipeline));
  if (!build || !pipeline || !connection || !isCanonicalSha(build.commit)) return false;
  const statuses = await wantedStatuses(context, pipeline, build, connection);
  await store(context, build, connection, repositoryAt(connection, pipeline), statuses);
  return true;
}

/** Stores the statuses that differ from the stored ones, in one statement; they are due now. */
async function store(
  context: Context,
  build: BuildRow,
  connection: ProviderConnectionRow,
  repository: string,
  statuses: readonly CommitStatus[],
): Promise<void> {
  const known = new Map(
    (
      await context.db
        .selectFrom('commit_statuses')
        .select([
          'context',
          'outcome',
          'description',
          'commit',
          'connectionId',
          'repository',
          'lastError',
          'checkOutput',
        ])
        .where('buildId', '=', build.id)
        .execute()
    ).map((row) => [row.context, row]),
  );
  const changed = statuses.filter((status) => {
    const row = known.get(status.context);
    return (
      row?.outcome !== status.outcome ||
      row.description !== status.description ||
      row.commit !== build.commit ||
      row.connectionId !== connection.id ||
      row.repository !== repository ||
      !isDeepStrictEqual(row.checkOutput, status.check) ||
      (status.problem !== null && row.lastError !== status.problem)
    );
  });
  if (changed.length === 0) return;
  await insertState(context, connection);
  await context.db
    .insertInto('commit_statuses')
    .values(
      changed.map(({ problem, check, ...status }): NewRow<'commit_statuses'> => ({
        ...status,
        checkOutput: check as never,
        buildId: build.id,
        organizationId: build.organizationId,
        pipelineId: build.pipelineId,
        commit: build.commit,
        connectionId: connection.id,
        repository,
        nextAttemptAt: problem === null ? context.now : null,
        lastError: problem,
        createdAt: context.now,
        updatedAt: context.now,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['buildId', 'context']).doUpdateSet({
        state: (eb) => eb.ref('excluded.state'),
        outcome: (eb) => eb.ref('excluded.outcome'),
        description: (eb) => eb.ref('excluded.description'),
        commit: (eb) => eb.ref('excluded.commit'),
        connectionId: (eb) => eb.ref('excluded.connectionId'),
        repository: (eb) => eb.ref('excluded.repository'),
        ofStep: (eb) => eb.ref('excluded.ofStep'),
        checkOutput: (eb) => eb.ref('excluded.checkOutput'),
        // A check run is of one commit in one repository.
        checkRun: sql<SentCheck | null>`case when commit_statuses.commit = excluded.commit
          and commit_statuses.connection_id = excluded.connection_id
          and commit_statuses.repository = excluded.repository then commit_statuses.check_run end` as never,
        revision: sql<number>`commit_statuses.revision + 1`,
        attempts: 0,
        nextAttemptAt: (eb) => eb.ref('excluded.nextAttemptAt'),
        lastError: (eb) => eb.ref('excluded.lastError'),
        supersededById: null,
        updatedAt: (eb) => eb.ref('excluded.updatedAt'),
      }),
    )
    .execute();
}

/** Begins to count what a connection sends. */
export async function insertState({ db, now }: Pick<Context, 'db' | 'now'>, connection: ProviderConnectionRow) {
  await db
    .insertInto('provider_connection_states')
    .values({
      connectionId: connection.id,
      organizationId: connection.organizationId,
      allowance: statusPace(connection.provider).burst,
      refilledAt: now,
      createdAt: now,
    })
    .onConflict((conflict) => conflict.column('connectionId').doNothing())
    .execute();
}

async function putOff({ db, clock }: Services, buildId: string): Promise<void> {
  await db
    .updateTable('commit_status_marks')
    .set({ dueAt: new Date(clock.now().getTime() + putOffMs) })
    .where('buildId', '=', buildId)
    .execute();
}
