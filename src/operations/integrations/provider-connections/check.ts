import { z } from 'zod';
import type { Context } from '../../../request/context.js';
import { inOrganization } from '../../../core/address.js';
import { defineOperation } from '../../../core/operation.js';
import { outsideTransaction } from '../../../database/transaction.js';
import { isLoopbackHost } from '../../../domain/loopback-host.js';
import { openConnection } from '../../../engine/notifications/connection-access.js';
import {
  type ConnectionSubject,
  findConnection,
} from '../../../resources/integrations/provider-connections/find-connection.js';
import { resumeConnection } from '../../../resources/integrations/provider-connections/resume.js';
import { type ConnectionReport, ProviderRefusal } from '../../../services/source-providers.js';

/** What a check of a connection found. */
export interface ConnectionCheck extends ConnectionSubject {
  /** Null where the provider refuses. */
  report: ConnectionReport | null;
  /** What stands in the way, each a sentence that says what to do. */
  problems: string[];
}

/**
 * Asks the provider whether the credential of a connection works and what it may do, with a timeout of seconds. What
 * waited for a connection that works is sent at once.
 */
export const checkProviderConnection = defineOperation({
  name: 'provider-connection.check',
  summary: 'Checks whether a connection to a source provider works, and what it may do.',
  kind: 'command',
  scope: 'write_organization_settings',
  access: 'admin',
  input: z.object({ connection: inOrganization }),
  subject: (context, { connection }) => findConnection(context, connection),
  run: async (context, _input, subject: ConnectionSubject): Promise<ConnectionCheck> => {
    const { id, apiUrl, username, appId, token } = subject.connection;
    const answer = await outsideTransaction(
      () => JSON.stringify(['the check of a connection', id, apiUrl, username, appId, token]),
      () => ask(context.services, subject.connection),
    );
    const problems = 'refusal' in answer ? [`The provider refused: ${answer.refusal}.`] : [];
    const report = 'report' in answer ? answer.report : null;
    if (report) await resumeConnection(context, id);
    const connection = report ? await noteAccount(context, id, report) : subject.connection;
    const lacks = (granted: boolean | null | undefined, what: string) => {
      if (granted === false) problems.push(`The credential may not ${what}: give it that right at the provider.`);
    };
    lacks(report?.may.publishStatuses, 'publish commit statuses');
    lacks(report?.may.manageWebhooks, 'create webhooks');
    lacks(report?.may.readRepositories, 'read repositories');
    const { hostname } = new URL(context.services.baseUrl);
    if (isLoopbackHost(hostname))
      problems.push(
        `BASE_URL is ${context.services.baseUrl}: webhooks cannot reach it, and statuses have no link to their build.`,
      );
    return { ...subject, connection, report, problems };
  },
});

async function ask(
  services: Context['services'],
  connection: ConnectionSubject['connection'],
): Promise<{ report: ConnectionReport } | { refusal: string }> {
  try {
    return { report: await openConnection(services, connection).check() };
  } catch (error) {
    if (error instanceof ProviderRefusal) return { refusal: error.reason };
    throw error;
  }
}

/** Stores what the provider told of itself, which replies show beside the connection. */
const noteAccount = ({ db }: Context, id: string, { account, rateLimit }: ConnectionReport) =>
  db
    .updateTable('provider_connections')
    .set({ account, ...(rateLimit ? { rateLimit: { ...rateLimit, resetAt: rateLimit.resetAt.toISOString() } } : {}) })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
