import { z } from 'zod';
import { inTransaction } from '../../../database/transaction.js';
import { announce } from '../../../core/announce.js';
import { finishTransaction } from '../../../core/finish-transaction.js';
import { defineOperation } from '../../../core/operation.js';
import { agentAcceptedStates } from '../../../domain/builds/job-state.js';
import { isSameRepository } from '../../../domain/integrations/same-repository.js';
import { limits } from '../../../domain/limits/limits.js';
import { forbidden, notFound, Problem } from '../../../domain/problem.js';
import { connectionOf, openConnection, repositoryAt } from '../../../engine/notifications/connection-access.js';
import type { JobRow, ProviderConnectionRow } from '../../../entities/database.js';
import type { Context } from '../../../request/context.js';
import { findHeldJob, type HeldJob, jobInput } from '../../../resources/builds/jobs/held-job.js';
import { isDrivenByFork } from '../../../resources/integrations/repository-tokens/fork-builds.js';
import { countRequests } from '../../../resources/installation/rate-limits/count-requests.js';
import {
  rateLimitWindowMs,
  rateLimitWindowStart,
} from '../../../resources/installation/rate-limits/requests-in-window.js';
import { ProviderRefusal, type RepositoryToken } from '../../../services/source-providers.js';

/**
 * POST repository_access_token: hands a running job a token that reads the repository of its pipeline and nothing else,
 * minted by the organization's connection to the host. Never for builds that a fork decides over: their code could
 * send the token anywhere. The provider is called outside of a transaction, because its answer may take seconds.
 */
export const requestRepositoryToken = defineOperation({
  name: 'job.request-repository-token',
  summary: 'Issues a token that reads the repository of its pipeline to a running job.',
  kind: 'command',
  inTransaction: false,
  scope: null,
  access: 'internal',
  // The job's event says which token it got; an agent is no user.
  audited: false,
  input: jobInput.extend({
    /** The repository that git asks for; the pipeline's by default. */
    repositoryUrl: z.string().max(limits.repositoryUrlLength).nullish(),
  }),
  subject: (context, { job }) => findHeldJob(context, job),
  run: async (context, { repositoryUrl }, subject): Promise<{ token: string }> => {
    const { job } = subject;
    if (!agentAcceptedStates.includes(job.state)) throw forbidden('Only a running job may request a repository token');
    await countRequest(context, job);
    const { connection, repository } = await repositoryOf(context, job, repositoryUrl || null);
    const token = await mint(context, connection, repository);
    await recordToken(context, subject, { connection: connection.id, repository, token });
    return { token: token.token };
  },
});

/** A job that asks for more than it needs is slowed down before the provider is. */
async function countRequest(context: Context, { id }: JobRow): Promise<void> {
  const now = context.now.getTime();
  const windowStart = rateLimitWindowStart(now);
  const count = await countRequests(context, id, new Date(windowStart), 1);
  if (count <= limits.repositoryTokensPerMinute) return;
  throw new Problem(
    'rate_limited',
    `A job may request ${limits.repositoryTokensPerMinute} repository tokens a minute`,
    { retryAfter: Math.max(1, Math.ceil((windowStart + rateLimitWindowMs - now) / 1000)) },
  );
}

const notSupported = () => notFound('Repository access tokens are not supported');

/** The repository that a job may have a token for, and the connection that mints it. */
async function repositoryOf(
  context: Context,
  job: JobRow,
  url: string | null,
): Promise<{ connection: ProviderConnectionRow; repository: string }> {
  const [pipeline, build] = await Promise.all([
    context.uncheckedRows.pipeline.load(job.pipelineId),
    context.uncheckedRows.build.load(job.buildId),
  ]);
  if (!pipeline || !build) throw notFound();
  if (url !== null && !isSameRepository(url, pipeline.repository))
    throw forbidden(`This job may have a token for the repository of its pipeline, ${pipeline.repository}, only`);
  const connection = await connectionOf(context.db, pipeline);
  if (!connection) throw notSupported();
  if (await isDrivenByFork(context, build))
    throw forbidden('Builds of pull requests from forks, and builds that they start, get no repository token');
  return { connection, repository: repositoryAt(connection, pipeline) };
}

async function mint(
  { services }: Context,
  connection: ProviderConnectionRow,
  repository: string,
): Promise<RepositoryToken> {
  const { repositoryTokens } = openConnection(services, connection);
  if (!repositoryTokens)
    throw notFound(
      `Repository access tokens are not supported: the connection to ${connection.host} is no GitHub App, ` +
        'and other credentials cannot be narrowed to one repository',
    );
  try {
    return await repositoryTokens.mint(repository);
  } catch (error) {
    if (!(error instanceof ProviderRefusal)) throw error;
    services.log.warn({ repository, reason: error.reason }, 'a repository token was not minted');
    throw refusal(connection, repository, error);
  }
}

/** What a refusal of the provider is to the agent, which retries 429 and 5xx and nothing else. */
function refusal({ host }: ProviderConnectionRow, repository: string, { reason, facts }: ProviderRefusal): Problem {
  const message = `${host} gave no token for ${repository}: ${reason}`;
  const retryAfter = Math.max(1, Math.ceil((facts.waitMs ?? 0) / 1000));
  if (facts.kind === 'limited') return new Problem('rate_limited', message, { retryAfter });
  if (facts.kind === 'unreachable' || facts.kind === 'busy') return new Problem('unavailable', message, { retryAfter });
  return forbidden(message);
}

/** Records that the job got a token, without the token. */
async function recordToken(
  context: Context,
  { job, agent }: HeldJob,
  { connection, repository, token }: { connection: string; repository: string; token: RepositoryToken },
): Promise<void> {
  const { services } = context;
  const events = await inTransaction(services.db, 'job.request-repository-token', async (trx) => {
    const within = context.withDb(trx);
    within.record({
      organizationId: job.organizationId,
      subject: 'job',
      subjectId: job.id,
      pipelineId: job.pipelineId,
      buildId: job.buildId,
      jobId: job.id,
      type: 'job.repository_token',
      data: { repository, connection, agent: agent.id, expires_at: token.expiresAt.toISOString() },
    });
    await finishTransaction(within);
    return within.recorder.events;
  });
  announce(services, events);
}
