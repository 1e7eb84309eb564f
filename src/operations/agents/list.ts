import { sql } from 'kysely';
import { z } from 'zod';
import { limits } from '../../domain/limits/limits.js';
import type { AgentRow } from '../../entities/database.js';
import { isId, organizationAddress } from '../../core/address.js';
import { findOrganization } from '../../core/find.js';
import { agentHeldStates } from '../../domain/builds/job-state.js';
import { sqlList } from '../../entities/sql-list.js';
import { defineOperation } from '../../core/operation.js';
import { newestFirst, type Page, paginate, paging } from '../../core/paging.js';

const word = z.string().max(limits.filterLength).nullish();
const words = z.array(z.string().max(limits.filterLength)).max(limits.filterValues).nullish();

const input = z.object({
  organization: organizationAddress,
  name: word,
  hostname: word,
  /** Exact match. */
  version: word,
  clusterId: word,
  clusterQueueIds: words,
  /** False: only agents outside clusters, which do not exist, so the list is empty. */
  clustered: z.boolean().nullish(),
  isRunningJob: z.boolean().nullish(),
  /** Tags; the agent must have all of them. */
  metaData: words,
  paused: z.boolean().nullish(),
  /** Part of the name or of the tags, case-insensitive. */
  search: word,
  paging,
});

/** Lists the connected and stopping agents of an organization, newest first. */
export const listAgents = defineOperation({
  name: 'agent.list',
  summary: 'Lists the connected agents of an organization.',
  kind: 'query',
  mayLag: true,
  scope: 'read_agents',
  access: 'member',
  refusal: 'sentence',
  input,
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (context, request, { organization }): Promise<Page<AgentRow>> => {
    let query = context.db
      .selectFrom('agents as a')
      .selectAll('a')
      .where('a.organizationId', '=', organization.id)
      .where('a.connectionState', 'in', ['connected', 'stopping']);
    if (request.name) query = query.where('a.name', '=', request.name);
    if (request.hostname) query = query.where('a.hostname', '=', request.hostname);
    if (request.version) query = query.where('a.version', '=', request.version);
    if (request.clusterId) query = query.where('a.clusterId', '=', isId(request.clusterId) ? request.clusterId : null);
    if (request.clusterQueueIds?.length)
      query = query.where(sql<boolean>`a.cluster_queue_id = any(${request.clusterQueueIds.filter(isId)}::uuid[])`);
    if (request.clustered === false) query = query.where('a.clusterId', 'is', null);
    if (request.metaData?.length)
      query = query.where(sql<boolean>`a.meta_data @> ${sql.val(request.metaData)}::text[]`);
    if (request.search)
      query = query.where(
        sql<boolean>`position(lower(${request.search}::text) in lower(a.name || ' ' ||
          array_to_string(a.meta_data, ' '))) > 0`,
      );
    if (request.isRunningJob !== null && request.isRunningJob !== undefined) {
      const running = sql<boolean>`exists (select 1 from jobs j where j.agent_id = a.id and j."state" in
        ${sql.raw(sqlList(agentHeldStates))})`;
      query = query.where(request.isRunningJob ? running : sql<boolean>`not ${running}`);
    }
    if (request.paused !== null && request.paused !== undefined) {
      const paused = sql<boolean>`coalesce(a.paused_at is not null and (a.paused_timeout_in_minutes is null or
        a.paused_at + a.paused_timeout_in_minutes * interval '1 minute' >
          ${context.now.toISOString()}::timestamptz), false)`;
      query = query.where(request.paused ? paused : sql<boolean>`not ${paused}`);
    }
    return paginate(context.db, query, newestFirst('a.id'), request.paging);
  },
});
