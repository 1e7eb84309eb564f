import { v7 as newRequestId } from 'uuid';
import { perform } from '../core/operation.js';
import { type LogSearch, searchOrganizationLogs } from '../operations/builds/logs/search.js';
import { Context } from '../request/context.js';
import { presentMatch } from '../rest/present/builds/log-search.js';
import type { FoundLogLine, OperatorSearch } from '../services/operator-socket.js';
import type { Services } from '../services/services.js';

/**
 * Finds lines in the logs of one organization or of all, page by page until every log was looked through, for a command
 * of the operator. Throws a sentence for an organization that is not there, and what the operation throws.
 */
export async function* searchAsOperator(
  services: Services,
  { organization, ...filters }: OperatorSearch,
  signal?: AbortSignal,
): AsyncGenerator<FoundLogLine[]> {
  const all = services.db.selectFrom('organizations').select('slug').orderBy('slug');
  const organizations = await (organization === undefined ? all : all.where('slug', '=', organization)).execute();
  if (organization !== undefined && organizations.length === 0)
    throw new Error(`there is no organization ${organization}`);
  const actor = { kind: 'system', cause: 'slipway logs search' } as const;
  const { createdFrom } = filters;
  for (const { slug } of organizations) {
    for (let cursor: string | null | undefined; cursor !== null;) {
      const context = new Context(services, { actor, surface: 'system', requestId: newRequestId(), signal });
      const page: LogSearch = await perform(searchOrganizationLogs, context, {
        ...filters,
        createdFrom: createdFrom === undefined ? null : new Date(createdFrom),
        organization: { slug },
        perPage: 100,
        cursor,
      });
      yield page.matches.map((match) => presentMatch(match, services.baseUrl));
      ({ cursor } = page);
    }
  }
}
