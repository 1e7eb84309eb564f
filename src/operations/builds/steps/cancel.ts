import { z } from 'zod';
import { transition } from '../../../domain/builds/job-state.js';
import { softFails } from '../../../domain/builds/retry.js';
import type { JobChange } from '../../../domain/builds/schedule-facts.js';
import { defineOperation } from '../../../core/operation.js';
import { advanceBuild } from '../../../engine/builds/advance-build.js';
import { applyJobChanges } from '../../../engine/builds/apply-changes.js';
import { loadBuild, type SchedulableJob } from '../../../engine/builds/load-facts.js';
import { changeJobs } from '../../../engine/state/jobs.js';
import { lockCallersStep, stepInput } from '../../../resources/builds/steps/callers-step.js';

/** Longest time that agents are granted for a forced stop. */
const longestGraceSeconds = 86_400;

/**
 * POST cancel: cancels every unfinished job of a step, or of a group's steps, in the calling job's build. `force`: a
 * job whose agent has not stopped it after the grace period is canceled without it.
 */
export const cancelStep = defineOperation({
  name: 'step.cancel',
  summary: 'Cancels the unfinished jobs of a step for a running job.',
  kind: 'command',
  scope: null,
  access: 'internal',
  audited: false,
  input: stepInput.extend({
    force: z.boolean().nullish(),
    forceGracePeriod: z.number().int().min(0).max(longestGraceSeconds).nullish(),
  }),
  subject: lockCallersStep,
  run: async (context, { force, forceGracePeriod }, { step, build }): Promise<{ id: string }> => {
    const loaded = await loadBuild(context, build);
    const definitions = new Map(
      loaded.steps
        .filter(({ id, groupId }) => id === step.id || groupId === step.id)
        .map((each) => [each.id, each.definition]),
    );
    const changes = loaded.jobs.flatMap((job): JobChange[] => {
      const definition = definitions.get(job.stepId);
      if (definition === undefined || job.retried) return [];
      return cancellation(job, 'softFail' in definition ? definition.softFail : false);
    });
    await applyJobChanges(context, loaded, changes);
    const stopping = changes.filter(({ to }) => to === 'canceling').map(({ id }) => id);
    if (force && forceGracePeriod != null && stopping.length > 0)
      await changeJobs(
        context,
        stopping,
        { deadlineAt: new Date(context.now.getTime() + forceGracePeriod * 1000) },
        { state: 'canceling' },
      );
    if (changes.length > 0) await advanceBuild(context, build, { reason: 'a step was canceled' });
    return { id: step.id };
  },
});

function cancellation(job: SchedulableJob, softFail: Parameters<typeof softFails>[0]): JobChange[] {
  const move = transition(job.type, job.state, 'cancel');
  if (move.kind !== 'moved') return [];
  return [
    {
      id: job.id,
      event: 'cancel',
      to: move.to,
      reason: 'step_canceled',
      ...(move.to === 'canceled' ? { softFailed: softFails(job.softFail ?? softFail, null) } : {}),
    },
  ];
}
