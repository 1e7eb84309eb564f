import { defineEntity, p } from '@mikro-orm/core';
import { at, atOrNull, textList } from '../columns.js';

/** A unit of background work that was under way when a process died; deleted when an attempt at it ends. */
export const WorkSuspectSchema = defineEntity({
  name: 'WorkSuspect',
  tableName: 'work_suspects',
  uniques: [{ properties: ['task', 'unit'] }],
  indexes: [{ properties: ['createdAt'] }],
  properties: {
    id: p.uuid().primary(),
    task: p.text(),
    unit: p.text(),
    /** The processes that died of it, or beside it. */
    processIds: textList(),
    /** Not taken any more since then; null while it has another attempt. */
    setAsideAt: atOrNull(),
    createdAt: at(),
  },
});
