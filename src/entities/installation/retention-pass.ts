import { defineEntity, p } from '@mikro-orm/core';
import type { PassProgress, RetentionReport } from '../../domain/retention/pass.js';
import { atOrNull, json, textOrNull } from '../columns.js';

/** How far the pass of retention has come, so that any replica continues it after any stop. */
export const RetentionPassSchema = defineEntity({
  name: 'RetentionPass',
  tableName: 'retention_passes',
  properties: {
    /** `retention`: there is no other row. */
    name: p.text().primary(),
    /** The pass under way; null between two passes. */
    progress: json<PassProgress>().nullable(),
    /** What the last whole pass deleted; null before the first has ended. */
    report: json<RetentionReport>().nullable(),
    /** When the latest pass began. */
    startedAt: atOrNull(),
    /** Which process works on it at the moment, and until when the others leave it alone. */
    leasedBy: textOrNull(),
    leasedUntil: atOrNull(),
  },
});
