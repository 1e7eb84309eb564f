import { Activity } from '../../services/activity.js';
import type { Services } from '../../services/services.js';
import { ProviderRefusal } from '../../services/source-providers.js';
import { deliveryDelayMs } from '../../domain/integrations/notification-retry.js';
import type { Db, Patch, Row } from '../../entities/database.js';
import { webUrls } from '../../services/web-urls.js';
import { connectionOf, openConnection, repositoryAt } from '../../engine/notifications/connection-access.js';
import { asSystem } from '../../core/system-transaction.js';
import { inSpan } from '../../tracing/tracing.js';
import { currentClaims } from '../work/work-claims.js';

/** Outcome of a state as rows have it. */
const outcomeOf = { pending: 'running', success: 'passed', failure: 'failed', error: 'errored' } as const;

type StatusRow = Row<'commit_statuses'>;

const atOnce = 10;
const leaseMs = 60_000;
/** The last attempt comes about five hours after the first: later, a commit status is of no use to anyone. */
const attemptsAtMost = 10;

/**
 * Sends the due commit statuses to their source provider; true if there were any. Each request carries the latest
 * state, regardless of how often it changed. A status that changes while it is sent is sent again.
 */
export async function publishCommitStatuses(services: Services): Promise<boolean> {
  const due = await asSystem(services, 'commit-statuses', ({ db, now }) => take(db, now));
  const claims = due.length > 0 ? currentClaims() : null;
  if (claims)
    await claims.each(
      'commit-statuses',
      due,
      ({ buildId, context }) => `${buildId} ${context}`,
      (statuses) => publishAll(services, statuses),
    );
  else await publishAll(services, due);
  return due.length > 0;
}

async function publishAll(services: Services, due: readonly StatusRow[]): Promise<void> {
  await Promise.all(
    due.map((status) =>
      publish(services, status).catch((error: unknown) =>
        services.log.error(
          { buildId: status.buildId, context: status.context, err: error },
          'the result of a commit status could not be stored',
        ),
      ),
    ),
  );
}

async function take(db: Db, now: Date): Promise<StatusRow[]> {
  const rows = await db
    .selectFrom('commit_statuses')
    .selectAll()
    .where('nextAttemptAt', '<=', now)
    .orderBy('nextAttemptAt')
    .limit(atOnce)
    .forUpdate()
    .skipLocked()
    .execute();
  for (const row of rows) {
    const lease = { nextAttemptAt: new Date(now.getTime() + leaseMs), attempts: row.attempts + 1 };
    await db
      .updateTable('commit_statuses')
      .set(lease)
      .where('buildId', '=', row.buildId)
      .where('context', '=', row.context)
      .execute();
  }
  return rows.map((row) => ({ ...row, attempts: row.attempts + 1 }));
}

async function publish(services: Services, status: StatusRow): Promise<void> {
  const attributes = { 'cicd.pipeline.run.id': status.buildId, 'slipway.context': status.context };
  const problem = await inSpan({ name: 'publish commit status', kind: 'client', attributes }, () =>
    send(services, status),
  );
  const now = services.clock.now();
  const { deliveries } = Activity.of(services);
  if (problem === null) {
    deliveries.add('commit_status', 'delivered');
    return settle(services, status, { nextAttemptAt: null, lastError: null });
  }
  const next =
    status.attempts >= attemptsAtMost
      ? null
      : new Date(now.getTime() + deliveryDelayMs(status.attempts, Math.random()));
  deliveries.add('commit_status', next ? 'retried' : 'failed');
  services.log.warn(
    { buildId: status.buildId, context: status.context, attempts: status.attempts, problem },
    next ? 'a commit status was refused' : 'a commit status has failed for good',
  );
  await settle(services, status, { nextAttemptAt: next, lastError: problem });
}

/** A status that changed during the request stays due. */
async function settle({ db }: Services, status: StatusRow, patch: Patch<'commit_statuses'>): Promise<void> {
  await db
    .updateTable('commit_statuses')
    .set(patch)
    .where('buildId', '=', status.buildId)
    .where('context', '=', status.context)
    .where('revision', '=', status.revision)
    .execute();
}

/** Sends the status; null if the provider accepted it, else the error. */
async function send(
  services: Services,
  { buildId, pipelineId, organizationId, commit, state, context, description }: StatusRow,
): Promise<string | null> {
  const { db, baseUrl } = services;
  const build = await db.selectFrom('builds').select(['number', 'branch']).where('id', '=', buildId).executeTakeFirst();
  const pipeline = await db.selectFrom('pipelines').selectAll().where('id', '=', pipelineId).executeTakeFirst();
  const organization = await db
    .selectFrom('organizations')
    .select('slug')
    .where('id', '=', organizationId)
    .executeTakeFirst();
  if (!build || !pipeline || !organization) return null;
  const connection = await connectionOf(db, pipeline);
  if (!connection) return "The organization has no connection to the repository's host.";
  try {
    const targetUrl = webUrls.build(baseUrl, organization.slug, pipeline.slug, build.number);
    await openConnection(services, connection).statuses.publish({
      repository: repositoryAt(connection, pipeline),
      commit,
      branch: build.branch,
      outcome: outcomeOf[state],
      context,
      description,
      targetUrl,
      linked: true,
    });
    return null;
  } catch (error) {
    return (error instanceof ProviderRefusal ? `The provider refused: ${error.reason}` : String(error)).slice(0, 500);
  }
}
