import { notificationEvents, stepEvents } from '../../../domain/integrations/notification-events.js';
import { notifyOutcomes } from '../../../domain/integrations/notify-outcome.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import { formatTime } from '../../../domain/time.js';
import type { BuildNotificationRow } from '../../../entities/database.js';
import type { Context } from '../../../request/context.js';
import { enumOf, nullable, text, time, uuid } from '../../openapi/schema.js';
import { field, resource } from '../fields.js';

/** What came of a `notify` entry at one moment. */
export const buildNotificationResource = resource<BuildNotificationRow>({
  id: field(uuid, 'ID of the row.', (row) => row.id),
  step_id: field(
    nullable(uuid),
    'ID of the step whose entry it is; null for an entry of the build.',
    (row) => row.stepId,
  ),
  kind: field(text, 'Word of the entry, such as `slack`.', (row) => row.channel),
  target: field(text, 'Receiver of the entry; keys and URLs in part.', (row) => row.target),
  condition: field(nullable(text), 'Condition (`if`) of the entry.', (row) => row.condition),
  event: field(
    enumOf(...notificationEvents, ...stepEvents),
    'Event at which the entry was looked at.',
    (row) => row.event,
  ),
  outcome: field(
    enumOf(...notifyOutcomes),
    'Outcome: sent, still tried, failed, or why nothing was sent.',
    (row) => row.outcome,
  ),
  detail: field(nullable(text), "Values of the condition, or the receiver's words.", (row) => row.detail),
  created_at: field(time, 'Time of the event.', (row) => formatTime(row.createdAt)),
  updated_at: field(time, 'Time the outcome last changed.', (row) => formatTime(row.updatedAt)),
});

export function presentBuildNotification(_context: Context, row: BuildNotificationRow): Promise<JsonObject> {
  return buildNotificationResource.present(row);
}
