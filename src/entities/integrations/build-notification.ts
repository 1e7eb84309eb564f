import { defineEntity, p } from '@mikro-orm/core';
import type { NotifyOutcome } from '../../domain/integrations/notify-outcome.js';
import { at, idOrNull, textOrNull } from '../columns.js';

/** What came of a `notify` entry of a build, or of one of its steps, at one moment. */
export const BuildNotificationSchema = defineEntity({
  name: 'BuildNotification',
  tableName: 'build_notifications',
  indexes: [{ properties: ['buildId', 'id'] }],
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    pipelineId: p.uuid(),
    buildId: p.uuid(),
    /** Step of the entry; null for an entry of the build. */
    stepId: idOrNull(),
    /** Word of the entry, such as `slack`. */
    channel: p.text(),
    /** Where it goes, without secrets: an address, a room, the end of a key. */
    target: p.text(),
    condition: textOrNull(),
    /** Moment at which the entry applied, such as `build.finished`. */
    event: p.text(),
    outcome: p.text().$type<NotifyOutcome>(),
    /** Values of the condition, or the words of the receiver or of Slipway. */
    detail: textOrNull(),
    createdAt: at(),
    updatedAt: at(),
  },
});
