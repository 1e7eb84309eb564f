import { OnlineIndexMigration } from './online-index-migration.js';

/**
 * Lists of a pipeline's builds are ordered by number: their indexes end in it. The unique (pipeline_id, number) serves
 * the plain list.
 */
export class BuildsByNumber20261121128000 extends OnlineIndexMigration {
  override readonly indexes = [
    {
      name: 'builds_pipeline_id_branch_number_index',
      table: 'builds',
      definition: '("pipeline_id", "branch", "number")',
    },
    {
      name: 'builds_pipeline_id_commit_number_index',
      table: 'builds',
      definition: '("pipeline_id", "commit", "number")',
    },
    {
      name: 'builds_of_schedule_number_index',
      table: 'builds',
      definition: '("pipeline_schedule_id", "number") where "pipeline_schedule_id" is not null',
    },
  ];
}
