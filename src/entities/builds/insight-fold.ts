import { defineEntity, p } from '@mikro-orm/core';
import { atOrNull, textOrNull } from '../columns.js';

/** How far builds are in rollups of insights, so that any replica goes on after any stop. */
export const InsightFoldSchema = defineEntity({
  name: 'InsightFold',
  tableName: 'insight_folds',
  properties: {
    /** `this`: there is one row. */
    name: p.text().primary(),
    /** Builds that ended before are in rollups; null before any is. */
    foldedUntilAt: atOrNull(),
    /** Hours of builds that ended before have been computed again, for those whose end was committed late. */
    foldedAgainUntilAt: atOrNull(),
    /** When the latest whole pass ended. */
    endedAt: atOrNull(),
    /** Which process works on it at the moment, and until when the others leave it alone. */
    leasedBy: textOrNull(),
    leasedUntil: atOrNull(),
  },
});
