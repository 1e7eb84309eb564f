import type { Context } from '../../context.js';
import { encodeNodeId } from '../../domain/node-id.js';
import type { JsonObject } from '../../domain/steps/step.js';
import { formatTime } from '../../domain/time.js';
import type { AgentRow } from '../../entities/database.js';
import { loadOrNull } from '../../loaders.js';
import { Urls } from './urls.js';
import { existing, timeOrNull } from './values.js';

/** What every form of an agent begins with (key order of rest-facts 9.5). */
export async function agentFields(context: Context, agent: AgentRow): Promise<JsonObject> {
  const organization = existing(await context.load.organization.load(agent.organizationId), 'an organization');
  const { api, web } = Urls.of(context).agent(organization, agent);
  return {
    id: agent.id,
    graphql_id: encodeNodeId('Agent', agent.id),
    url: api,
    web_url: web,
    name: agent.name,
    connection_state: agent.connectionState,
    ip_address: agent.ipAddress,
    hostname: agent.hostname,
    user_agent: agent.userAgent,
    version: agent.version,
  };
}

/** The agent of a job. Agents register with a token, so nobody is their creator. */
export async function presentJobAgent(context: Context, agentId: string | null): Promise<JsonObject | null> {
  const agent = await loadOrNull(context.load.agent, agentId);
  if (!agent) return null;
  return {
    ...(await agentFields(context, agent)),
    creator: null,
    created_at: formatTime(agent.createdAt),
    job: null,
    last_job_finished_at: timeOrNull(agent.lastJobFinishedAt),
    priority: agent.priority,
    meta_data: agent.metaData,
  };
}
