import { defineEntity, p } from '@mikro-orm/core';
import type { SweepProgress, SweepReport } from '../../domain/installation/stored-objects.js';
import { atOrNull, json, textOrNull } from '../columns.js';

/** How far the comparison of stored objects with rows has come, so that any replica continues it after any stop. */
export const StorageSweepSchema = defineEntity({
  name: 'StorageSweep',
  tableName: 'storage_sweeps',
  properties: {
    /** `objects`: there is no other row. */
    name: p.text().primary(),
    /** The pass under way; null between two passes. */
    progress: json<SweepProgress>().nullable(),
    /** What the last whole pass found; null before the first has ended. */
    report: json<SweepReport>().nullable(),
    /** When the latest pass began. */
    startedAt: atOrNull(),
    /** Which process sweeps at the moment, and until when the others leave it alone. */
    leasedBy: textOrNull(),
    leasedUntil: atOrNull(),
  },
});
