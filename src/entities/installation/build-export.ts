import { defineEntity, p } from '@mikro-orm/core';
import { atOrNull, textOrNull } from '../columns.js';

/**
 * A build that retention would delete and that is not exported yet, because attempts failed: it stays. Or one that is,
 * while its rows are deleted in several parts: a second export would lack those that are gone.
 */
export const BuildExportSchema = defineEntity({
  name: 'BuildExport',
  tableName: 'build_exports',
  indexes: [{ properties: ['organizationId'] }],
  properties: {
    buildId: p.uuid().primary(),
    organizationId: p.uuid(),
    exportedAt: atOrNull(),
    /** Attempts that failed. */
    attempts: p.integer().default(0),
    error: textOrNull(),
    failedAt: atOrNull(),
    /** Null: not by itself any more. */
    nextAttemptAt: atOrNull(),
  },
});
