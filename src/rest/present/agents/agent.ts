import type { Context } from '../../../request/context.js';
import { encodeNodeId } from '../../../domain/node-id.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import { formatTime } from '../../../domain/time.js';
import type { AgentRow } from '../../../entities/database.js';
import { arrayOf, integer, nullable, reference, text, time, url, uuid } from '../../openapi/schema.js';
import { keptPart, showPart } from '../../parts/part.js';
import { field, type Fields, resource } from '../fields.js';
import { type Links, Urls } from '../urls.js';
import { existing, timeOrNull } from '../values.js';

export interface AgentSource {
  context: Context;
  agent: AgentRow;
  links: Links;
}

/** The first properties of every form of an agent. */
export const agentFields: Fields<AgentSource> = {
  id: field(uuid, 'ID of the agent.', ({ agent }) => agent.id),
  graphql_id: field(text, 'ID of the agent in the GraphQL API.', ({ agent }) => encodeNodeId('Agent', agent.id)),
  url: field(url, 'API URL of the agent.', ({ links }) => links.api),
  web_url: field(url, 'URL of the page of the agent.', ({ links }) => links.web),
  name: field(text, 'Name of the agent.', ({ agent }) => agent.name),
  connection_state: field(text, 'State of the connection of the agent.', ({ agent }) => agent.connectionState),
  ip_address: field(nullable(text), 'IP address that the agent connected from.', ({ agent }) => agent.ipAddress),
  hostname: field(nullable(text), 'Hostname of the machine.', ({ agent }) => agent.hostname),
  user_agent: field(nullable(text), '`User-Agent` header of the agent.', ({ agent }) => agent.userAgent),
  version: field(nullable(text), 'Version of the agent.', ({ agent }) => agent.version),
};

/** Properties that every form of an agent has further on. */
export const laterAgentFields = {
  creator: field<AgentSource>(
    nullable(reference('User')),
    'Always null: agents register with a token, not as a user.',
    () => null,
  ),
  created_at: field<AgentSource>(time, 'Time the agent registered.', ({ agent }) => formatTime(agent.createdAt)),
  last_job_finished_at: field<AgentSource>(nullable(time), 'Time the last job of the agent finished.', ({ agent }) =>
    timeOrNull(agent.lastJobFinishedAt),
  ),
  priority: field<AgentSource>(
    nullable(integer),
    'Priority of the agent; agents with a higher number get jobs first.',
    ({ agent }) => agent.priority,
  ),
  meta_data: field<AgentSource>(arrayOf(text), 'Tags of the agent as `key=value`.', ({ agent }) => agent.metaData),
};

/** The agent of a job. */
export const agentResource = resource<AgentSource>({
  ...agentFields,
  creator: laterAgentFields.creator,
  created_at: laterAgentFields.created_at,
  job: field(nullable(reference('ScriptJob')), 'Always null inside a job.', () => null),
  last_job_finished_at: laterAgentFields.last_job_finished_at,
  priority: laterAgentFields.priority,
  meta_data: laterAgentFields.meta_data,
});

export async function linkAgent(context: Context, agent: AgentRow): Promise<AgentSource> {
  const organization = existing(await context.load.organization.load(agent.organizationId), 'an organization');
  return { context, agent, links: Urls.of(context).agent(organization, agent) };
}

/** The agent of a job; null if there is no such agent. */
export const agentPart = keptPart<{ id: string }, AgentRow>('agent', 'agents', async (context, { id }, row) => {
  const agent = row ?? (await context.load.agent.load(id));
  return agent && agentResource.present(await linkAgent(context, agent));
});

export function presentJobAgent(context: Context, agentId: string): Promise<JsonObject | null> {
  return showPart(context, agentPart, { id: agentId });
}
