import { defineEntity, p } from '@mikro-orm/core';
import type { PassProgress, RetentionReport } from '../../domain/retention/pass.js';
import type { CountProgress } from '../../domain/retention/sizes.js';
import { atOrNull, idOrNull, json, textOrNull } from '../columns.js';

/**
 * How far the pass of retention, the count of sizes and the filters of old logs are, so that any replica continues them
 * after any stop.
 */
export const RetentionPassSchema = defineEntity({
  name: 'RetentionPass',
  tableName: 'retention_passes',
  properties: {
    /** `retention`, `sizes` or `log-filters`. */
    name: p.text().primary(),
    /** The pass under way; null between two passes. */
    progress: json<PassProgress>().nullable(),
    /** The count under way; null between two counts. */
    counted: json<CountProgress>().nullable(),
    /** The job whose log was given filters last, from the newest to the oldest; the lowest id once all have them. */
    filteredFrom: idOrNull(),
    /** What the last whole pass deleted; null before the first has ended. */
    report: json<RetentionReport>().nullable(),
    /** When the latest pass or count began. */
    startedAt: atOrNull(),
    /** Which process works on it at the moment, and until when the others leave it alone. */
    leasedBy: textOrNull(),
    leasedUntil: atOrNull(),
  },
});
