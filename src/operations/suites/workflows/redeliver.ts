import { z } from 'zod';
import { isId } from '../../../core/address.js';
import { defineOperation } from '../../../core/operation.js';
import { notFound, wrongState } from '../../../domain/problem.js';
import type { NotificationDeliveryRow } from '../../../entities/database.js';
import { againAs } from '../../../resources/integrations/notification-deliveries/again.js';
import { requireEditable } from '../../../resources/suites/require-editable.js';
import {
  findWorkflowEvent,
  workflowAddress,
  type WorkflowEventSubject,
} from '../../../resources/suites/workflows/find-workflow.js';

/**
 * Sends a webhook or message of an event again, with its original payload: creates a new delivery with attempts of its
 * own. Refuses a pending delivery, which will be sent anyway.
 */
export const redeliverTestWorkflowEvent = defineOperation({
  name: 'test-workflow-delivery.redeliver',
  summary: 'Sends what an event of a workflow of a test suite sent again.',
  kind: 'command',
  scope: 'write_suites',
  access: 'member',
  refusal: 'sentence',
  input: z.object({ workflow: workflowAddress, workflowEvent: z.string().max(100), id: z.string().max(100) }),
  subject: (context, { workflow, workflowEvent }) => findWorkflowEvent(context, workflow, workflowEvent),
  permit: (_context, subject) => requireEditable(subject),
  run: async (
    context,
    { id },
    subject: WorkflowEventSubject,
  ): Promise<WorkflowEventSubject & { delivery: NotificationDeliveryRow }> => {
    const before = isId(id)
      ? await context.db
          .selectFrom('notification_deliveries')
          .selectAll()
          .where('id', '=', id)
          .where('notificationId', '=', subject.workflowEvent.id)
          .forUpdate()
          .executeTakeFirst()
      : undefined;
    if (!before) throw notFound();
    if (before.state === 'pending') throw wrongState('The delivery is still being tried');
    const delivery = await context.db
      .insertInto('notification_deliveries')
      .values(againAs(context, before))
      .returningAll()
      .executeTakeFirstOrThrow();
    context.recorder.notifies = true;
    return { ...subject, delivery };
  },
});
