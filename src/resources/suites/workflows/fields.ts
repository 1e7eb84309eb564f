import { z } from 'zod';
import { filledText, flag, oneOf, orMissing, text, wholeNumber } from '../../../domain/input-text.js';
import { limits } from '../../../domain/limits/limits.js';
import { testStates } from '../../../domain/suites/results/test-state.js';
import { readTagFilter } from '../../../domain/suites/test-filters.js';
import { actionOf, actionProblem, actionTypes, type WorkflowAction } from '../../../domain/suites/workflows/action.js';
import { monitorOf, monitorProblems, monitorTypes } from '../../../domain/suites/workflows/monitor.js';
import { receiverUrl } from '../../integrations/notification-services/fields.js';

const threshold = z.number({ error: orMissing('must be a number') });

const monitor = z
  .object(
    {
      type: text(limits.filterLength)
        .refine(
          (type) => type !== 'probabilistic_flakiness',
          'probabilistic_flakiness is not available: how its score is computed is not public',
        )
        .pipe(oneOf(monitorTypes)),
      branch: text(limits.branchLength + 1).nullish(),
      window: wholeNumber(1, limits.testWorkflowWindow).nullish(),
      alarm: threshold.nullish(),
      recover: threshold.nullish(),
    },
    { error: orMissing('must be an object') },
  )
  .transform(monitorOf)
  .superRefine((value, context) => {
    for (const { field, code } of monitorProblems(value))
      context.addIssue({ code: 'custom', path: [field], message: code });
  });

const tagFilter = text(limits.testTagKeyBytes + limits.testTagValueLength + 3).superRefine((filter, context) => {
  const read = readTagFilter(filter);
  if ('problem' in read) context.addIssue({ code: 'custom', message: read.problem });
  else if (read.of !== 'matching')
    context.addIssue({ code: 'custom', message: 'takes no ~ or ^: a workflow looks at executions' });
});

const action = z
  .object(
    {
      type: oneOf(actionTypes),
      label: filledText(limits.labelLength).nullish(),
      state: oneOf(testStates).nullish(),
      url: receiverUrl.nullish(),
      channel: filledText(limits.labelLength).nullish(),
      message: text(limits.testWorkflowMessageLength).nullish(),
    },
    { error: orMissing('must be an object') },
  )
  .transform(actionOf)
  .superRefine((value, context) => {
    const problem = actionProblem(value);
    if (problem) context.addIssue({ code: 'custom', path: [problem.field], message: problem.code });
  });

const most = limits.testWorkflowActions;
const actions = z
  .array(action, { error: orMissing('must be a list of actions') })
  .max(most, `has more than ${most} actions`);

/** Fields of a workflow in create and update. */
export const workflowFields = {
  name: filledText(limits.nameLength),
  enabled: flag,
  monitor,
  tagFilters: z
    .array(tagFilter, { error: orMissing('must be a list of tag filters') })
    .max(limits.testWorkflowTagFilters, `has more than ${limits.testWorkflowTagFilters} tag filters`),
  alarmActions: actions,
  recoverActions: actions,
};

/** The problem of a workflow whose tests never recover, but which would do something when they do; null if none. */
export const recoverProblem = (type: string, recoverActions: readonly WorkflowAction[]): string | null =>
  type === 'new_test' && recoverActions.length > 0 ? 'must be empty: a new test does not recover' : null;
