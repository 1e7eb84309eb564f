import { ProviderRefusal, type Services } from '../../context.js';
import { deliveryDelayMs } from '../../domain/delivery-retry.js';
import { providerFromUrl } from '../../domain/provider.js';
import type { Db, Patch, Row } from '../../entities/database.js';
import { webUrls } from '../../web-urls.js';
import { accessOf, connectionOf } from '../provider-connections/connection-access.js';
import { asSystem } from '../system-transaction.js';


type StatusRow = Row<'commit_statuses'>;

const atOnce = 10;
const leaseMs = 60_000;
/** The last try comes about five hours after the first: what a commit says then is of no use to anybody. */
const attemptsAtMost = 10;

/**
 * Sends a round of statuses that are due to their source provider; true where some were. What is sent is what is
 * wanted at that time, however often it changed before. A status that changes while it is sent is sent once more.
 */
export async function publishCommitStatuses(services: Services): Promise<boolean> {
  const due = await asSystem(services, 'commit-statuses', ({ db, now }) => take(db, now));
  await Promise.all(due.map((status) => publish(services, status).catch((error: unknown) => services.log.error({ buildId: status.buildId, context: status.context, err: error }, 'a commit status could not be settled'))));
  return due.length > 0;
}

async function take(db: Db, now: Date): Promise<StatusRow[]> {
  const rows = await db.selectFrom('commit_statuses').selectAll().where('nextAttemptAt', '<=', now).orderBy('nextAttemptAt').limit(atOnce).forUpdate().skipLocked().execute();
  for (const row of rows) {
    const lease = { nextAttemptAt: new Date(now.getTime() + leaseMs), attempts: row.attempts + 1 };
    await db.updateTable('commit_statuses').set(lease).where('buildId', '=', row.buildId).where('context', '=', row.context).execute();
  }
  return rows.map((row) => ({ ...row, attempts: row.attempts + 1 }));
}

async function publish(services: Services, status: StatusRow): Promise<void> {
  const problem = await send(services, status);
  const now = services.clock.now();
  if (problem === null) return settle(services, status, { sentState: status.state, nextAttemptAt: null, lastError: null });
  const next = status.attempts >= attemptsAtMost ? null : new Date(now.getTime() + deliveryDelayMs(status.attempts, Math.random()));
  services.log.warn({ buildId: status.buildId, context: status.context, attempts: status.attempts, problem }, next ? 'a commit status was not taken' : 'a commit status is given up');
  await settle(services, status, { nextAttemptAt: next, lastError: problem });
}

/** A newer wish than the one sent stays due. */
async function settle({ db }: Services, status: StatusRow, patch: Patch<'commit_statuses'>): Promise<void> {
  await db.updateTable('commit_statuses').set(patch).where('buildId', '=', status.buildId).where('context', '=', status.context).where('revision', '=', status.revision).execute();
}

/** Null where the provider took it, else what went wrong. */
async function send(services: Services, { buildId, pipelineId, organizationId, commit, state, context, description }: StatusRow): Promise<string | null> {
  const { db, baseUrl, providers } = services;
  const build = await db.selectFrom('builds').select('number').where('id', '=', buildId).executeTakeFirst();
  const pipeline = await db.selectFrom('pipelines').selectAll().where('id', '=', pipelineId).executeTakeFirst();
  const organization = await db.selectFrom('organizations').select('slug').where('id', '=', organizationId).executeTakeFirst();
  if (!build || !pipeline || !organization) return null;
  const connection = await connectionOf(db, pipeline);
  if (!connection) return 'The organization has no connection to the repository\'s host.';
  try {
    const { repository } = providerFromUrl(pipeline.repository);
    const targetUrl = webUrls.build(baseUrl, organization.slug, pipeline.slug, build.number);
    await providers.setCommitStatus(accessOf(services, connection), { repository, commit, state, context, description, targetUrl });
    return null;
  } catch (error) {
    return (error instanceof ProviderRefusal ? `The provider refused: ${error.reason}` : String(error)).slice(0, 500);
  }
}
