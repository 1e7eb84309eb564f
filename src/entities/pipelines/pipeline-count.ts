import { defineEntity, p } from '@mikro-orm/core';

/**
 * Changes of the numbers of unfinished builds and jobs of a pipeline: its counts are the sums of its rows. Triggers of
 * `builds` and `jobs` add a row for each statement or changed row, and the background replaces many with one, so that
 * no two transactions wait for each other's counts (docs/decisions/0019).
 */
export const PipelineCountSchema = defineEntity({
  name: 'PipelineCount',
  tableName: 'pipeline_counts',
  indexes: [{ properties: ['pipelineId'] }],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    pipelineId: p.uuid(),
    scheduledBuilds: p.integer(),
    runningBuilds: p.integer(),
    scheduledJobs: p.integer(),
    runningJobs: p.integer(),
    waitingJobs: p.integer(),
  },
});
