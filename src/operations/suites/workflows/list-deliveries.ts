import { z } from 'zod';
import { defineOperation } from '../../../core/operation.js';
import { defaultPaging, newestFirst, type Page, paginate, paging } from '../../../core/paging.js';
import type { NotificationDeliveryRow } from '../../../entities/database.js';
import { requireEditable } from '../../../resources/suites/require-editable.js';
import {
  findWorkflowEvent,
  workflowAddress,
  type WorkflowEventSubject,
} from '../../../resources/suites/workflows/find-workflow.js';

/**
 * Lists the webhooks and messages that an event of a workflow sent, newest first, for those who may edit the suite:
 * they name the receivers. Deleted after `deliveriesKeptDays` days.
 */
export const listTestWorkflowDeliveries = defineOperation({
  name: 'test-workflow-delivery.list',
  summary: 'Lists what an event of a workflow of a test suite sent.',
  kind: 'query',
  scope: 'read_suites',
  access: 'member',
  refusal: 'sentence',
  input: z.object({
    workflow: workflowAddress,
    workflowEvent: z.string().max(100),
    paging: paging.default(defaultPaging),
  }),
  subject: (context, { workflow, workflowEvent }) => findWorkflowEvent(context, workflow, workflowEvent),
  permit: (_context, subject) => requireEditable(subject),
  run: async (
    context,
    { paging: page },
    { workflowEvent }: WorkflowEventSubject,
  ): Promise<Page<NotificationDeliveryRow>> =>
    paginate(
      context.db,
      context.db
        .selectFrom('notification_deliveries as d')
        .selectAll('d')
        .where('d.notificationId', '=', workflowEvent.id),
      newestFirst<NotificationDeliveryRow>('d.id'),
      page,
    ),
});
