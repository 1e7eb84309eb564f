import { z } from 'zod';
import { largestInteger } from '../../../domain/integer-column.js';
import { isTerminal } from '../../../domain/builds/job-state.js';
import { wrongState } from '../../../domain/problem.js';
import type { JobRow } from '../../../entities/database.js';
import { defineOperation } from '../../../core/operation.js';
import { endJob } from '../../../engine/builds/end-job.js';
import { changeAgent } from '../../../engine/state/agents.js';
import { jobInput, lockHeldJob } from '../../../resources/builds/jobs/held-job.js';
import { runJob } from './start.js';

const word = z.string().max(100).nullish();

const input = jobInput.extend({
  /** Decimal text on the wire; absent where the agent has none. */
  exitStatus: z.union([z.string().max(100), z.number()]).nullish(),
  signal: word,
  signalReason: word,
  chunksFailedCount: z.number().int().min(0).max(largestInteger).catch(0).default(0),
  ignoreAgentInDispatches: z.boolean().nullish(),
});

/**
 * PUT finish: records how a job ended. The same report may be repeated, because the first reply may be lost. A
 * different, late or outdated report is refused with 422, which every agent understands.
 */
export const finishJob = defineOperation({
  name: 'job.finish',
  summary: 'Reports how a job ended.',
  kind: 'command',
  scope: null,
  access: 'internal',
  audited: false,
  input,
  subject: (context, { job }) => lockHeldJob(context, job),
  run: async (context, report, { job, build, agent }): Promise<void> => {
    const end = {
      exitStatus: readExitStatus(report.exitStatus),
      signal: report.signal || null,
      signalReason: report.signalReason || null,
    };
    // A one-shot agent disconnects after this job: another one offered now would be lost.
    const endsDispatches = report.ignoreAgentInDispatches ?? false;
    if (isTerminal(job.state)) {
      if (!isSameEnd(job, end)) throw wrongState(`The job cannot be finished: its state is ${job.state}`);
      if (endsDispatches) await changeAgent(context, agent, { ignoreInDispatches: true });
    } else {
      // The start call may have been lost on its way while the job ran.
      const running = await runJob(context, job);
      const { ended } = await endJob(context, build, running, {
        event: end.exitStatus === 0 ? 'pass' : 'fail',
        ...end,
        chunksFailedCount: report.chunksFailedCount,
        endsDispatches,
        reason: end.signalReason ?? `exit status ${end.exitStatus}`,
      });
      if (!ended) throw wrongState(`The job cannot be finished: its state is ${job.state}`);
    }
  },
});

/** The exit status as an integer; -1 ("not run") for any other text, so that a job always ends. */
export function readExitStatus(text: string | number | null | undefined): number {
  if (typeof text !== 'number' && !/^\s*-?\d{1,10}\s*$/.test(text ?? '')) return -1;
  const status = Number(text);
  return Number.isInteger(status) && Math.abs(status) <= largestInteger ? status : -1;
}

function isSameEnd(
  job: JobRow,
  end: { exitStatus: number; signal: string | null; signalReason: string | null },
): boolean {
  return job.exitStatus === end.exitStatus && job.signal === end.signal && job.signalReason === end.signalReason;
}
