import { sql } from 'kysely';
import type { Context } from '../../request/context.js';
import type { Services } from '../../services/services.js';
import type { ProviderBranches } from '../../services/source-providers.js';
import { compareHeads, type Heads, rememberedHeads } from '../../domain/integrations/branch-heads.js';
import type { JsonObject } from '../../domain/pipelines/steps/step.js';
import type { PipelineRow, Row } from '../../entities/database.js';
import { connectionOf, openConnection, repositoryAt } from '../../engine/notifications/connection-access.js';
import { asSystem } from '../../core/system-transaction.js';
import { eachAlone } from '../each-alone.js';

type CheckRow = Row<'branch_checks'>;

const everyMs = 5 * 60_000;
const leaseMs = 2 * 60_000;
const atOnce = 10;

/**
 * Finds pushes without a delivery, so that pushes during a downtime are built. Compares branch heads at the provider
 * with the recorded ones, and passes each missing push to the pipeline's build filters. Covers pipelines whose
 * organization has a connection to their host. Checks the pipelines that are due; true if there were any.
 */
export async function reconcileBranches(services: Services): Promise<boolean> {
  await enrol(services);
  const due = await asSystem(services, 'reconciliation', (context) => take(context));
  await eachAlone(
    services,
    'reconciliation',
    due,
    checkBranches,
    (check) => putOff(services, check),
    ({ pipelineId }) => pipelineId,
  );
  return due.length > 0;
}

/** Adds pipelines that were never checked; their first check is due now. */
async function enrol({ db, clock }: Services): Promise<void> {
  const now = clock.now();
  await db
    .insertInto('branch_checks')
    .columns(['pipelineId', 'organizationId', 'nextCheckAt', 'createdAt'])
    .expression((eb) =>
      eb
        .selectFrom('pipelines as p')
        .select([
          'p.id',
          'p.organizationId',
          sql<Date>`${now}::timestamptz`.as('nextCheckAt'),
          sql<Date>`${now}::timestamptz`.as('createdAt'),
        ])
        .where('p.archivedAt', 'is', null)
        .where((inner) =>
          inner.exists(
            inner
              .selectFrom('provider_connections as c')
              .select('c.id')
              .whereRef('c.organizationId', '=', 'p.organizationId')
              // Most pipelines of other hosts: `checkBranches` takes the URL apart.
              .where(sql<boolean>`position(c.host in lower(p.repository)) > 0`),
          ),
        )
        .where((inner) =>
          inner.not(
            inner.exists(
              inner.selectFrom('branch_checks as b').select('b.pipelineId').whereRef('b.pipelineId', '=', 'p.id'),
            ),
          ),
        )
        .limit(1000),
    )
    .onConflict((conflict) => conflict.column('pipelineId').doNothing())
    .execute();
}

async function take({ db, now }: Context): Promise<CheckRow[]> {
  const rows = await db
    .selectFrom('branch_checks')
    .selectAll()
    .where('nextCheckAt', '<=', now)
    .orderBy('nextCheckAt')
    .limit(atOnce)
    .forUpdate()
    .skipLocked()
    .execute();
  if (rows.length === 0) return [];
  await db
    .updateTable('branch_checks')
    .set({ nextCheckAt: new Date(now.getTime() + leaseMs) })
    .where(
      'pipelineId',
      'in',
      rows.map((row) => row.pipelineId),
    )
    .execute();
  return rows;
}

async function checkBranches(services: Services, check: CheckRow): Promise<boolean> {
  const { db } = services;
  const pipeline = await db.selectFrom('pipelines').selectAll().where('id', '=', check.pipelineId).executeTakeFirst();
  const connection = pipeline && pipeline.archivedAt === null ? await connectionOf(db, pipeline) : null;
  if (!pipeline || !connection) {
    await db.deleteFrom('branch_checks').where('pipelineId', '=', check.pipelineId).execute();
    return false;
  }
  const { branches } = openConnection(services, connection);
  const repository = repositoryAt(connection, pipeline);
  const heads = await branches.heads(repository);
  const known = await knownCommits(services, pipeline.id, changedCommits(check.heads, heads));
  const { awaited, missed } = compareHeads(check.heads, check.awaited, heads, known);
  const pushes: { deliveryId: string; payload: JsonObject }[] = [];
  for (const each of missed)
    pushes.push({
      deliveryId: `reconciled:${each.branch}:${each.commit}`,
      payload: pushPayload(repository, each, await branches.commit(repository, each.commit)),
    });
  await asSystem(services, 'reconciliation', async (context) => {
    for (const push of pushes) await deliver(context, pipeline, push);
    await context.db
      .updateTable('branch_checks')
      .set({
        heads: rememberedHeads(check.heads, awaited, heads),
        awaited,
        nextCheckAt: new Date(context.now.getTime() + everyMs),
        lastError: null,
      })
      .where('pipelineId', '=', pipeline.id)
      .execute();
  });
  return true;
}

/** A push of a branch to a commit, as the provider would have delivered it. */
const pushPayload = (
  repository: string,
  { branch, commit, before }: { branch: string; commit: string; before: string | null },
  { message, author }: Awaited<ReturnType<ProviderBranches['commit']>>,
): JsonObject => ({
  ref: `refs/heads/${branch}`,
  before: before ?? '0'.repeat(40),
  after: commit,
  created: before === null,
  deleted: false,
  repository: { full_name: repository },
  head_commit: { id: commit, message, author },
});

function changedCommits(before: Heads | null, now: Heads): string[] {
  return before === null
    ? []
    : [...new Set(Object.entries(now).flatMap(([branch, commit]) => (before[branch] === commit ? [] : [commit])))];
}

/** Returns the commits to which a build or delivery of the pipeline refers. */
async function knownCommits({ db }: Services, pipelineId: string, commits: readonly string[]): Promise<Set<string>> {
  if (commits.length === 0) return new Set();
  const built = await db
    .selectFrom('builds')
    .select('commit')
    .distinct()
    .where('pipelineId', '=', pipelineId)
    .where('commit', 'in', commits)
    .where('culpritSearchId', 'is', null)
    .execute();
  const delivered = await sql<{
    commit: string;
  }>`select c.sha as commit from unnest(${sql.val([...commits])}::text[]) as c(sha) where exists (select 1 from
    webhook_deliveries d where d.pipeline_id = ${pipelineId}::uuid and d.decisions @>
      jsonb_build_array(jsonb_build_object('commit', c.sha)))`.execute(db);
  return new Set([...built.map((row) => row.commit), ...delivered.rows.map((row) => row.commit)]);
}

/**
 * Returns the missing delivery. Its id depends only on the push, so that any number of replicas and rounds record it
 * once.
 */
async function deliver(
  context: Context,
  pipeline: PipelineRow,
  { deliveryId, payload }: { deliveryId: string; payload: JsonObject },
): Promise<void> {
  const id = context.newId();
  const inserted = await context.db
    .insertInto('webhook_deliveries')
    .values({
      id,
      organizationId: pipeline.organizationId,
      pipelineId: pipeline.id,
      sender: 'github',
      event: 'push',
      deliveryId,
      headers: [],
      payload,
      createdAt: context.now,
    })
    .onConflict((conflict) => conflict.columns(['pipelineId', 'deliveryId', 'event']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (inserted)
    context.send({ topic: 'webhook.process', organizationId: pipeline.organizationId, payload: { deliveryId: id } });
}

/** Postpones a pipeline that cannot be checked now to its next turn. */
async function putOff({ db, clock }: Services, check: CheckRow): Promise<void> {
  await db
    .updateTable('branch_checks')
    .set({
      nextCheckAt: new Date(clock.now().getTime() + everyMs),
      lastError: 'The provider could not be reached; the log of the server says why.',
    })
    .where('pipelineId', '=', check.pipelineId)
    .execute();
}
