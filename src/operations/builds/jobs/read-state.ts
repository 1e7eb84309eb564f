import { z } from 'zod';
import type { JobState } from '../../../domain/builds/job-state.js';
import type { AgentRow } from '../../../entities/database.js';
import { defineOperation } from '../../../core/operation.js';
import type { Subject } from '../../../core/subject.js';
import { callingAgent, findJobForAgent, requireHolder } from '../../../resources/builds/jobs/held-job.js';

interface PolledJob extends Subject {
  /** Null if the caller polls a job that it no longer holds. */
  state: JobState | null;
  agent: AgentRow;
}

/**
 * GET job state: agents poll it to learn that a job is to stop. An agent that polls a job it no longer holds reads
 * `canceled`; with a job token it is refused, which has the same effect.
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

/** Whether the agent is older than 3.127 and ignores `timing_out`; an unreadable version counts as old. */
export function honoursTimingOut(version: string | null): boolean {
  const [major, minor] = (/^v?(\d+)\.(\d+)/.exec(version ?? '') ?? []).slice(1).map(Number);
  if (major === undefined || minor === undefined) return false;
  return major > 3 || (major === 3 && minor >= 127);
}
