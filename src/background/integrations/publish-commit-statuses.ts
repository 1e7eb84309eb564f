import { sql } from 'kysely';
import { asSystem } from '../../core/system-transaction.js';
import { connectionOf, repositoryAt } from '../../engine/notifications/connection-access.js';
import type { Services } from '../../services/services.js';
import { currentClaims } from '../work/work-claims.js';
import { computeCommitStatuses, insertState } from './commit-statuses/compute-statuses.js';
import { type BuildPlaces, sendBatch } from './commit-statuses/send-statuses.js';
import { storeConnection, storeStatuses } from './commit-statuses/store-results.js';
import { type StatusBatch, takeStatuses } from './commit-statuses/take-statuses.js';

const unassignedAtOnce = 100;

/**
 * Computes the commit statuses of builds that changed, and sends those that are due to their source providers, no
 * faster than each allows; true if there were any. Each request carries the latest state, regardless of how often it
 * changed. A status that changes while it is sent is sent again.
 */
export async function publishCommitStatuses(services: Services): Promise<boolean> {
  const computed = await computeCommitStatuses(services);
  const assigned = await assignConnections(services);
  const { batches, any } = await asSystem(services, 'commit-statuses', takeStatuses);
  const claims = batches.length > 0 ? currentClaims() : null;
  const places = await readPlaces(services, batches);
  const publish = (some: readonly StatusBatch[]) =>
    Promise.all(some.map((batch) => publishBatch(services, places, batch))).then(() => undefined);
  if (claims) {
    const statuses = batches.flatMap((batch) => batch.statuses);
    await claims.each(
      'commit-statuses',
      statuses,
      ({ buildId, context }) => `${buildId} ${context}`,
      (some) =>
        publish(
          batches.map((batch) => ({ ...batch, statuses: batch.statuses.filter((status) => some.includes(status)) })),
        ),
    );
  } else await publish(batches);
  return computed || assigned || any;
}

async function publishBatch(services: Services, places: BuildPlaces, batch: StatusBatch): Promise<void> {
  if (batch.statuses.length === 0) return;
  try {
    const { sent, connection } = await sendBatch(services, places, batch);
    await storeStatuses(services.db, sent);
    await storeConnection(services.db, services.clock.now(), connection);
  } catch (error) {
    services.log.error(
      { connectionId: batch.connection.id, err: error },
      'the results of commit statuses could not be stored',
    );
  }
}

/** Branches and pages of the builds whose statuses are sent. */
async function readPlaces({ db }: Services, batches: readonly StatusBatch[]): Promise<BuildPlaces> {
  const ids = [...new Set(batches.flatMap(({ statuses }) => statuses.map(({ buildId }) => buildId)))];
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('builds as b')
    .innerJoin('pipelines as p', 'p.id', 'b.pipelineId')
    .innerJoin('organizations as o', 'o.id', 'b.organizationId')
    .select(['b.id', 'b.number', 'b.branch', 'p.slug as pipelineSlug', 'o.slug as organizationSlug'])
    .where('b.id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, ...place }) => [id, place]));
}

/**
 * Finds the connections of due statuses without one: their connection was deleted, or they are of a release that did
 * not store it. True if there were any.
 */
async function assignConnections(services: Services): Promise<boolean> {
  const { db, clock } = services;
  const now = clock.now();
  const rows = await db
    .selectFrom('commit_statuses as c')
    .innerJoin('pipelines as p', 'p.id', 'c.pipelineId')
    .select(['c.buildId', 'c.context', 'p.organizationId', 'p.repository'])
    .where('c.connectionId', 'is', null)
    .where('c.nextAttemptAt', '<=', now)
    .orderBy('c.nextAttemptAt')
    .limit(unassignedAtOnce)
    .execute();
  for (const pipeline of rows) {
    const connection = await connectionOf(db, pipeline);
    if (connection) await insertState({ db, now }, connection);
    await db
      .updateTable('commit_statuses')
      .set(
        connection
          ? { connectionId: connection.id, repository: repositoryAt(connection, pipeline) }
          : { nextAttemptAt: null, lastError: "The organization has no connection to the repository's host." },
      )
      .where('buildId', '=', pipeline.buildId)
      .where('context', '=', pipeline.context)
      .where(sql<boolean>`connection_id is null`)
      .execute();
  }
  return rows.length > 0;
}
