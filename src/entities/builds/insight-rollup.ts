import { defineEntity, p } from '@mikro-orm/core';
import type { PackedFigures, RollupKind, RollupSpan } from '../../domain/builds/insights/rollup.js';
import { at, json } from '../columns.js';

/** Figures of the builds of a pipeline that were created in an hour, day or month of UTC, whole or by what they had. */
export const InsightRollupSchema = defineEntity({
  name: 'InsightRollup',
  tableName: 'insight_rollups',
  indexes: [{ properties: ['pipelineId', 'span', 'beginsAt'] }, { properties: ['span', 'beginsAt'] }],
  properties: {
    organizationId: p.uuid().primary(),
    kind: p.text().$type<RollupKind>().primary(),
    span: p.text().$type<RollupSpan>().primary(),
    beginsAt: at().primary(),
    pipelineId: p.uuid().primary(),
    /** Number of builds, or of builds of all keys: never less than before, since retention deletes rows of builds. */
    builds: p.integer(),
    /** Number of keys, of which one counts once for each queue where agents ran it. */
    keys: p.integer(),
    figures: json<PackedFigures[]>(),
  },
});
