import { formatTime } from '../../../domain/time.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import type { AgentsEstimate } from '../../../operations/agents/queues/estimate-agents.js';
import type { Context } from '../../../request/context.js';
import { integer, nullable, number, time } from '../../openapi/schema.js';
import { field, resource } from '../fields.js';

export const agentsNeededResource = resource<AgentsEstimate>({
  agents: field(
    integer,
    'Fewest agents with which 95 percent of the jobs would have waited no longer than `wait`; zero without a job.',
    ({ agents }) => agents,
  ),
  wait: field(integer, 'Longest wait that is wanted, in seconds.', ({ wait }) => wait),
  wait_p95: field(
    nullable(number),
    'Seconds that 95 percent of the jobs would have waited at most with so many agents; null without a job.',
    ({ waitP95 }) => waitP95,
  ),
  busy_share: field(
    number,
    'Part of the time, from 0 to 1, for which so many agents would have been busy.',
    ({ busyShare }) => busyShare,
  ),
  jobs: field(integer, 'Number of jobs that were looked at, at most 10,000, the newest.', ({ jobs }) => jobs),
  from: field(time, 'Start of the time in which the jobs were created.', ({ from }) => formatTime(from)),
  to: field(time, 'End of the time in which the jobs were created.', ({ to }) => formatTime(to)),
  busiest_agents: field(integer, 'Most agents that were busy at once.', ({ busiestAgents }) => busiestAgents),
  past_wait_p95: field(
    nullable(number),
    'Seconds that 95 percent of the jobs waited at most; null without a job.',
    ({ pastWaitP95 }) => pastWaitP95,
  ),
  past_share_in_time: field(
    number,
    'Part of the jobs, from 0 to 1, that waited no longer than `wait`; 1 without a job.',
    ({ pastShareInTime }) => pastShareInTime,
  ),
});

export const presentAgentsNeeded = (_context: Context, estimate: AgentsEstimate): Promise<JsonObject> =>
  agentsNeededResource.present(estimate);
