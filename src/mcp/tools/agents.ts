import { z } from 'zod';
import type { Json } from '../../domain/pipelines/steps/step.js';
import { detail, eachOf, organization, pages, pick, routeTool, type Tool } from '../tool.js';

const agentSummary = ['id', 'name', 'connection_state', 'hostname', 'version', 'paused', 'web_url'];
const agentDetail = [...agentSummary, 'meta_data', 'priority', 'ip_address', 'created_at', 'last_job_finished_at'];

function agentAs(value: Json, level: 'summary' | 'detailed' | 'full'): Json {
  if (level === 'full') return value;
  const shown = pick(value, level === 'summary' ? agentSummary : agentDetail);
  const running = typeof value === 'object' && value !== null && !Array.isArray(value) ? value['job'] : null;
  return running ? { ...(shown as object), job: pick(running, ['id', 'state', 'web_url']) } : shown;
}

export const agentTools: Tool[] = [
  routeTool({
    name: 'list_agents',
    toolset: 'agents',
    title: 'Agents',
    description: 'Lists the connected agents.',
    input: {
      ...organization,
      name: z.string().optional().describe('Only agents with this name'),
      hostname: z.string().optional().describe('Only agents on this host'),
      version: z.string().optional().describe('Only agents of this version'),
      ...pages,
      ...detail('summary'),
    },
    method: 'get',
    path: '/organizations/{org}/agents',
    query: ({ name, hostname, version, page, per_page }) => ({ name, hostname, version, page, per_page }),
    shape: (body, { detail_level }) => eachOf((each) => agentAs(each, detail_level))(body),
  }),
  routeTool({
    name: 'get_agent',
    toolset: 'agents',
    title: 'Agent',
    description: 'Returns an agent and the job that it runs.',
    input: { ...organization, agent_id: z.string().describe('UUID of the agent'), ...detail('full') },
    method: 'get',
    path: '/organizations/{org}/agents/{agent}',
    query: () => ({}),
    shape: (body, { detail_level }) => agentAs(body, detail_level),
  }),
];
