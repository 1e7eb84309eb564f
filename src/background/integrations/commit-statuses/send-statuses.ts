import pLimit from 'p-limit';
import { Activity } from '../../../services/activity.js';
import type { Services } from '../../../services/services.js';
import { type CommitStatus, ProviderRefusal, type SourceProvider } from '../../../services/source-providers.js';
import { webUrls } from '../../../services/web-urls.js';
import { isLoopbackHost } from '../../../domain/loopback-host.js';
import type { ProviderRateLimit, RefusalFacts } from '../../../domain/integrations/provider-refusal.js';
import { effectOfRefusal, isFailing, statusLifetimeMs, statusPace } from '../../../domain/integrations/status-pace.js';
import { openConnection } from '../../../engine/notifications/connection-access.js';
import { inSpan } from '../../../tracing/tracing.js';
import { publishCheck } from './publish-check.js';
import type { StatusBatch, StatusRow } from './take-statuses.js';

const errorLength = 500;

/** What became of one status. */
export interface SentStatus {
  status: StatusRow;
  /** `unsent`: the connection was paused before its turn. */
  result: 'sent' | 'unsent' | 'refused';
  error: string | null;
  /** When it is tried again; null: never, or not needed. */
  nextAttemptAt: Date | null;
}

/** What a batch told about its connection. */
export interface ConnectionResult {
  connectionId: string;
  failures: number;
  error: string | null;
  isFailing: boolean;
  succeeded: boolean;
  pausedUntilAt: Date | null;
  rateLimit: ProviderRateLimit | null;
}

/** Page of a build, by its id; and its branch. */
export type BuildPlaces = ReadonlyMap<
  string,
  { number: number; branch: string | null; pipelineSlug: string; organizationSlug: string }
>;

/**
 * Sends the statuses of one connection: those of a commit one after the other, because GitLab mixes up what arrives at
 * once, different commits beside each other. Once the provider asks to wait, nothing more is sent.
 */
export async function sendBatch(
  services: Services,
  places: BuildPlaces,
  { connection, failures: earlier, statuses }: StatusBatch,
): Promise<{ sent: SentStatus[]; connection: ConnectionResult }> {
  const provider = openConnection(services, connection);
  const result: ConnectionResult = {
    connectionId: connection.id,
    failures: earlier,
    error: null,
    isFailing: false,
    succeeded: false,
    pausedUntilAt: null,
    rateLimit: null,
  };
  const limit = pLimit(statusPace(connection.provider).atOnce);
  const sent: SentStatus[] = [];
  const inTurn = async (ofCommit: readonly StatusRow[]) => {
    for (const status of ofCommit)
      sent.push(
        result.pausedUntilAt === null
          ? await sendOne(services, provider, places, status, result)
          : { status, result: 'unsent', error: status.lastError, nextAttemptAt: status.nextAttemptAt },
      );
  };
  await Promise.all([...byCommit(statuses).values()].map((ofCommit) => limit(inTurn, ofCommit)));
  return { sent, connection: result };
}

function byCommit(statuses: readonly StatusRow[]): Map<string, StatusRow[]> {
  const groups = new Map<string, StatusRow[]>();
  for (const status of statuses) {
    const key = `${status.repository} ${status.commit}`;
    groups.set(key, [...(groups.get(key) ?? []), status]);
  }
  return groups;
}

async function sendOne(
  services: Services,
  provider: SourceProvider,
  places: BuildPlaces,
  status: StatusRow,
  connection: ConnectionResult,
): Promise<SentStatus> {
  const { deliveries } = Activity.of(services);
  const request = requestOf(services, places, status);
  // Its build was deleted meanwhile.
  if (!request) return { status, result: 'sent', error: null, nextAttemptAt: null };
  const attributes = { 'cicd.pipeline.run.id': status.buildId, 'slipway.context': status.context };
  try {
    const { rateLimit } = await inSpan({ name: 'publish commit status', kind: 'client', attributes }, () =>
      status.checkOutput
        ? publishCheck(provider, request, status, status.checkOutput)
        : provider.statuses.publish(request),
    );
    Object.assign(connection, { failures: 0, succeeded: true, error: null, isFailing: false });
    connection.rateLimit = rateLimit ?? connection.rateLimit;
    deliveries.add('commit_status', 'delivered');
    return { status, result: 'sent', error: null, nextAttemptAt: null };
  } catch (error) {
    const { reason, facts, rateLimit } = refusalOf(error);
    connection.rateLimit = rateLimit ?? connection.rateLimit;
    const nextAttemptAt = afterRefusal(services, status, connection, reason, facts);
    deliveries.add('commit_status', nextAttemptAt ? 'retried' : 'failed');
    services.log.warn(
      { buildId: status.buildId, context: status.context, attempts: status.attempts, problem: reason },
      nextAttemptAt ? 'a commit status was refused' : 'a commit status has failed for good',
    );
    return { status, result: 'refused', error: reason, nextAttemptAt };
  }
}

function afterRefusal(
  { clock }: Services,
  status: StatusRow,
  connection: ConnectionResult,
  reason: string,
  facts: RefusalFacts,
): Date | null {
  const now = clock.now().getTime();
  connection.failures += 1;
  connection.error = reason;
  connection.isFailing ||= isFailing(facts, facts.status, connection.failures);
  const { retryMs, pauseMs } = effectOfRefusal(facts, status.attempts, connection.failures, Math.random());
  if (pauseMs !== null) connection.pausedUntilAt = new Date(now + pauseMs);
  if (retryMs === null || now - status.updatedAt.getTime() > statusLifetimeMs) return null;
  return new Date(now + retryMs);
}

/** An error that is no refusal is a fault of our own: it is tried again like one of the provider. */
function refusalOf(error: unknown) {
  if (error instanceof ProviderRefusal)
    return {
      reason: `The provider refused: ${error.reason}`.slice(0, errorLength),
      facts: error.facts,
      rateLimit: error.rateLimit,
    };
  return {
    reason: String(error).slice(0, errorLength),
    facts: { kind: 'busy', status: null, waitMs: null } as const,
    rateLimit: null,
  };
}

const outcomeOfState = { pending: 'running', success: 'passed', failure: 'failed', error: 'errored' } as const;

function requestOf({ baseUrl }: Services, places: BuildPlaces, status: StatusRow): CommitStatus | null {
  const place = places.get(status.buildId);
  if (!place || status.repository === null) return null;
  return {
    repository: status.repository,
    commit: status.commit,
    branch: place.branch,
    outcome: status.outcome ?? outcomeOfState[status.state],
    context: status.context,
    description: status.description,
    targetUrl: webUrls.build(baseUrl, place.organizationSlug, place.pipelineSlug, place.number),
    linked: !isLoopbackHost(new URL(baseUrl).hostname),
  };
}
