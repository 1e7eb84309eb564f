import { sql } from 'kysely';
import { z } from 'zod';
import { findSuite, type SuiteSubject } from '../../../core/find-suite.js';
import { suiteIsAccessible } from '../../../core/suite-visibility.js';
import { idFromEither } from '../../../domain/node-id.js';
import type { TestWorkflowEventRow, TestWorkflowRow } from '../../../entities/database.js';
import type { Context } from '../../../request/context.js';

const word = z.string().max(300);

/** By its id under its suite, or by uuid or node id alone. */
export const workflowAddress = z.union([
  z.object({ organization: word, suite: word, id: word }),
  z.object({ id: word }),
]);
type WorkflowAddress = z.output<typeof workflowAddress>;

/** A workflow with whether the caller may change it: the URLs of its webhooks are only theirs. */
export type ShownWorkflow = TestWorkflowRow & { editable: boolean };

export interface WorkflowSubject extends SuiteSubject {
  workflow: ShownWorkflow;
}

/** The workflows of suites that are there, those of suites that the caller may see. */
export const visibleWorkflows = ({ db, actor }: Pick<Context, 'db' | 'actor'>) =>
  db
    .selectFrom('test_workflows as w')
    .innerJoin('suites as s', 's.id', 'w.suiteId')
    .selectAll('w')
    .select((eb) => sql<boolean>`${suiteIsAccessible(actor, 'edit')(eb)}`.as('editable'))
    .where(suiteIsAccessible(actor, 'read'))
    .where('w.removedAt', 'is', null);

/** Finds a workflow whose suite the caller may see; `lock` locks its row. */
export async function findWorkflow(
  context: Context,
  address: WorkflowAddress,
  { lock = false }: { lock?: boolean } = {},
): Promise<WorkflowSubject | null> {
  const id = idFromEither(address.id, ['TestWorkflow']);
  if (id === null) return null;
  let query = visibleWorkflows(context).where('w.id', '=', id);
  if (lock) query = query.forUpdate('w');
  const workflow = await query.executeTakeFirst();
  const parent = workflow && (await findSuite(context, { id: workflow.suiteId }));
  if (!workflow || !parent) return null;
  if ('suite' in address && (parent.organization.slug !== address.organization || parent.suite.slug !== address.suite))
    return null;
  return { ...parent, workflow };
}

export interface WorkflowEventSubject extends WorkflowSubject {
  workflowEvent: TestWorkflowEventRow;
}

/** Finds an event of a workflow by its uuid. */
export async function findWorkflowEvent(
  context: Context,
  address: WorkflowAddress,
  id: string,
): Promise<WorkflowEventSubject | null> {
  const eventId = idFromEither(id, []);
  const parent = eventId === null ? null : await findWorkflow(context, address);
  if (!parent || eventId === null) return null;
  const workflowEvent = await context.db
    .selectFrom('test_workflow_events')
    .selectAll()
    .where('id', '=', eventId)
    .where('workflowId', '=', parent.workflow.id)
    .executeTakeFirst();
  return workflowEvent ? { ...parent, workflowEvent } : null;
}
