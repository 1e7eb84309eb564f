import { z } from 'zod';
import { defineOperation } from '../../../core/operation.js';
import { invalidField } from '../../../domain/problem.js';
import type { Patch } from '../../../entities/database.js';
import { recordSuite } from '../../../resources/suites/record.js';
import { requireEditable } from '../../../resources/suites/require-editable.js';
import { recoverProblem, workflowFields } from '../../../resources/suites/workflows/fields.js';
import {
  findWorkflow,
  workflowAddress,
  type WorkflowSubject,
} from '../../../resources/suites/workflows/find-workflow.js';

const columns = ['name', 'enabled', 'monitor', 'tagFilters', 'alarmActions', 'recoverActions'] as const;
/** What is measured by these: another value forgets what was measured, and no test is in alarm. */
const measuring: ReadonlySet<string> = new Set(['monitor', 'tagFilters']);

/** Updates the fields present in the request. With another monitor or other tag filters it begins anew. */
export const updateTestWorkflow = defineOperation({
  name: 'test-workflow.update',
  summary: 'Updates a workflow of a test suite.',
  kind: 'command',
  scope: 'write_suites',
  access: 'member',
  refusal: 'sentence',
  input: z.object({
    workflow: workflowAddress,
    name: workflowFields.name.optional(),
    enabled: workflowFields.enabled.optional(),
    monitor: workflowFields.monitor.optional(),
    tagFilters: workflowFields.tagFilters.optional(),
    alarmActions: workflowFields.alarmActions.optional(),
    recoverActions: workflowFields.recoverActions.optional(),
  }),
  subject: (context, { workflow }) => findWorkflow(context, workflow, { lock: true }),
  permit: (_context, subject) => requireEditable(subject),
  run: async (context, request, subject: WorkflowSubject): Promise<WorkflowSubject> => {
    const { suite, workflow: before } = subject;
    const { monitor = before.monitor, recoverActions = before.recoverActions } = request;
    const problem = recoverProblem(monitor.type, recoverActions);
    if (problem !== null) throw invalidField('recoverActions', problem);
    const changed = columns.filter(
      (column) => request[column] !== undefined && textOf(request[column]) !== textOf(before[column]),
    );
    if (changed.length === 0) return subject;
    const workflow = await context.db
      .updateTable('test_workflows')
      .set({
        ...(Object.fromEntries(changed.map((column) => [column, request[column]])) as Patch<'test_workflows'>),
        ...(changed.some((column) => measuring.has(column)) ? { generation: before.generation + 1 } : {}),
        updatedAt: context.now,
      })
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    recordSuite(context, suite, { type: 'suite.workflow.update', data: { workflow: workflow.id, changed } });
    return { ...subject, workflow: { ...workflow, editable: true } };
  },
});

/** A value as a text that is the same for the same value, in whichever order its members come. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  );
