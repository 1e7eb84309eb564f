import { z } from 'zod';
import type { JobState } from '../../domain/job-state.js';
import type { AgentRow } from '../../entities/database.js';
import { defineOperation } from '../operation.js';
import type { Subject } from '../subject.js';
import { callingAgent, findJobForAgent, requireHolder } from './held-job.js';

interface PolledJob extends Subject {
  /** Null: the caller polls a job that it has lost. */
  state: JobState | null;
  agent: AgentRow;
}

/**
 * GET job (agent-protocol 5.6): the state, from which an agent learns that it is to stop. An agent with its session
 * token that polls a job it has lost reads `canceled`; with a job token it is refused, which has the same effect.
 */
export const readJobState = defineOperation({
  name: 'job.read-state',
  summary: 'Returns the state of a job to its agent.',
  kind: 'query',
  scope: null,
  access: 'internal',
  input: z.object({ job: z.string().max(300) }),
  subject: async (context, { job: id }): Promise<PolledJob | null> => {
    const { agent, job: claim } = callingAgent(context);
    if (claim && claim.id !== id.toLowerCase()) return null;
    const job = await findJobForAgent(context, id);
    if (!job) return null;
    if (!claim && job.agentId !== agent.id) return { state: null, agent };
    requireHolder(context, job);
    return { state: job.state, agent };
  },
  run: async (_context, _input, { state, agent }): Promise<{ state: JobState }> => {
    if (state === null) return { state: 'canceled' };
    return { state: state === 'timing_out' && !honoursTimingOut(agent.version) ? 'canceling' : state };
  },
});

/** Agents before 3.127 do not act on `timing_out` (trap T27); what cannot be read counts as old. */
export function honoursTimingOut(version: string | null): boolean {
  const [major, minor] = (/^v?(\d+)\.(\d+)/.exec(version ?? '') ?? []).slice(1).map(Number);
  if (major === undefined || minor === undefined) return false;
  return major > 3 || (major === 3 && minor >= 127);
}
