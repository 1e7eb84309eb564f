import { z } from 'zod';
import { findSuite, suiteAddress, type SuiteSubject } from '../../../core/find-suite.js';
import { defineOperation } from '../../../core/operation.js';
import { limits } from '../../../domain/limits/limits.js';
import { invalidField, wrongState } from '../../../domain/problem.js';
import { recordSuite } from '../../../resources/suites/record.js';
import { requireEditable } from '../../../resources/suites/require-editable.js';
import { recoverProblem, workflowFields } from '../../../resources/suites/workflows/fields.js';
import type { WorkflowSubject } from '../../../resources/suites/workflows/find-workflow.js';

/** Creates a workflow of a suite, enabled by default. It looks at what is uploaded from then on. */
export const createTestWorkflow = defineOperation({
  name: 'test-workflow.create',
  summary: 'Creates a workflow of a test suite.',
  kind: 'command',
  scope: 'write_suites',
  access: 'member',
  refusal: 'sentence',
  input: z.object({
    suite: suiteAddress,
    name: workflowFields.name,
    enabled: workflowFields.enabled.nullish(),
    monitor: workflowFields.monitor,
    tagFilters: workflowFields.tagFilters.nullish(),
    alarmActions: workflowFields.alarmActions.nullish(),
    recoverActions: workflowFields.recoverActions.nullish(),
  }),
  // Its lock keeps the count exact.
  subject: (context, { suite }) => findSuite(context, suite, { lock: true }),
  permit: (_context, subject) => requireEditable(subject),
  run: async (context, request, subject: SuiteSubject): Promise<WorkflowSubject> => {
    const { suite } = subject;
    const recoverActions = request.recoverActions ?? [];
    const problem = recoverProblem(request.monitor.type, recoverActions);
    if (problem !== null) throw invalidField('recoverActions', problem);
    const { count } = await context.db
      .selectFrom('test_workflows')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('suiteId', '=', suite.id)
      .where('removedAt', 'is', null)
      .executeTakeFirstOrThrow();
    if (Number(count) >= limits.testWorkflows)
      throw wrongState(`A suite may have at most ${limits.testWorkflows} workflows`);
    const workflow = await context.db
      .insertInto('test_workflows')
      .values({
        id: context.newId(),
        organizationId: suite.organizationId,
        suiteId: suite.id,
        name: request.name,
        enabled: request.enabled ?? true,
        monitor: { ...request.monitor },
        tagFilters: request.tagFilters ?? [],
        alarmActions: (request.alarmActions ?? []).map((action) => ({ ...action })),
        recoverActions: recoverActions.map((action) => ({ ...action })),
        createdById: context.userId,
        createdAt: context.now,
        updatedAt: context.now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    const data = { workflow: workflow.id, name: workflow.name };
    recordSuite(context, suite, { type: 'suite.workflow.create', data });
    return { ...subject, workflow: { ...workflow, editable: true } };
  },
});
