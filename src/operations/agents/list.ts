import { sql } from 'kysely';
import { z } from 'zod';
import { limits } from '../../domain/limits.js';
import type { AgentRow } from '../../entities/database.js';
import { isId, organizationAddress } from '../address.js';
import { findOrganization } from '../find.js';
import { heldStates } from '../jobs/release-from-agent.js';
import { defineOperation } from '../operation.js';
import { newestFirst, type Page, paginate, paging } from '../paging.js';

const word = z.string().max(limits.filterLength).nullish();
const words = z.array(z.string().max(limits.filterLength)).max(limits.filterValues).nullish();

const input = z.object({
  organization: organizationAddress,
  name: word,
  hostname: word,
  /** Exact. */
  version: word,
  clusterId: word,
  clusterQueueIds: words,
  /** False: only agents outside clusters, of which there are none. */
  clustered: z.boolean().nullish(),
  isRunningJob: z.boolean().nullish(),
  /** Tags, all of which the agent must have. */
  metaData: words,
  paused: z.boolean().nullish(),
  /** In name and tags, whatever the case. */
  search: word,
  paging,
});

/** The agents of an organization that are connected or stopping (rest-facts 3.1), newest first. */
export const listAgents = defineOperation({
  name: 'agent.list',
  summary: 'Lists the connected agents of an organization.',
  kind: 'query',
  scope: 'read_agents',
  access: 'member',
  refusal: 'sentence',
  input,
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (context, asked, { organization }): Promise<Page<AgentRow>> => {
    let query = context.db.selectFrom('agents as a').selectAll('a').where('a.organizationId', '=', organization.id).where('a.connectionState', 'in', ['connected', 'stopping']);
    if (asked.name) query = query.where('a.name', '=', asked.name);
    if (asked.hostname) query = query.where('a.hostname', '=', asked.hostname);
    if (asked.version) query = query.where('a.version', '=', asked.version);
    if (asked.clusterId) query = query.where('a.clusterId', '=', isId(asked.clusterId) ? asked.clusterId : null);
    if (asked.clusterQueueIds?.length) query = query.where(sql<boolean>`a.cluster_queue_id = any(${asked.clusterQueueIds.filter(isId)}::uuid[])`);
    if (asked.clustered === false) query = query.where('a.clusterId', 'is', null);
    if (asked.metaData?.length) query = query.where(sql<boolean>`a.meta_data @> ${sql.val(asked.metaData)}::text[]`);
    if (asked.search) query = query.where(sql<boolean>`position(lower(${asked.search}::text) in lower(a.name || ' ' || array_to_string(a.meta_data, ' '))) > 0`);
    if (asked.isRunningJob !== null && asked.isRunningJob !== undefined) {
      const running = sql<boolean>`exists (select 1 from jobs j where j.agent_id = a.id and j."state" in (${sql.join([...heldStates])}))`;
      query = query.where(asked.isRunningJob ? running : sql<boolean>`not ${running}`);
    }
    if (asked.paused !== null && asked.paused !== undefined) {
      const paused = sql<boolean>`coalesce(a.paused_at is not null and (a.paused_timeout_in_minutes is null or a.paused_at + a.paused_timeout_in_minutes * interval '1 minute' > ${context.now.toISOString()}::timestamptz), false)`;
      query = query.where(asked.paused ? paused : sql<boolean>`not ${paused}`);
    }
    return paginate(context.db, query, newestFirst('a.id'), asked.paging);
  },
});
