import type { Step } from './step.js';

/** Whether one of the steps, or of those in its groups, has `notify`. */
export const hasStepNotify = (steps: readonly Step[]): boolean =>
  steps.some(
    (step) =>
      ('notify' in step && (step.notify?.length ?? 0) > 0) || (step.type === 'group' && hasStepNotify(step.steps)),
  );
