import { defineEntity, p } from '@mikro-orm/core';
import { at, atOrNull, textOrNull } from '../columns.js';

/** What the backups that servers make by themselves have come to: one row, made by the first server that makes them. */
export const ScheduledBackupSchema = defineEntity({
  name: 'ScheduledBackup',
  tableName: 'scheduled_backups',
  properties: {
    /** `this`: there is no other row. */
    name: p.text().primary(),
    /** When the last attempt began; null before the first. */
    startedAt: atOrNull(),
    /** When the last one that was made was whole. */
    succeededAt: atOrNull(),
    /** Its name in the place of backups, and its size there. */
    object: textOrNull(),
    bytes: p.bigint('number').nullable(),
    /** Attempts that failed since. */
    failures: p.integer().default(0),
    lastError: textOrNull(),
    /** Which process makes one at the moment, and until when the others leave it alone. */
    leasedBy: textOrNull(),
    leasedUntil: atOrNull(),
    createdAt: at(),
  },
});
