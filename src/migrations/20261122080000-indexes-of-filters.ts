import { OnlineIndexMigration } from './online-index-migration.js';

/** An index for each filter of the lists of builds and jobs, ending in what the list is ordered by. */
export class IndexesOfFilters20261122080000 extends OnlineIndexMigration {
  override readonly indexes = [
    {
      name: 'builds_organization_id_branch_id_index',
      table: 'builds',
      definition: '("organization_id", "branch", "id")',
    },
    {
      name: 'builds_organization_id_commit_id_index',
      table: 'builds',
      definition: '("organization_id", "commit", "id")',
    },
    {
      name: 'builds_organization_id_state_id_index',
      table: 'builds',
      definition: '("organization_id", "state", "id")',
    },
    {
      name: 'builds_pipeline_id_state_number_index',
      table: 'builds',
      definition: '("pipeline_id", "state", "number")',
    },
    {
      name: 'builds_pipeline_id_creator_id_number_index',
      table: 'builds',
      definition: '("pipeline_id", "creator_id", "number")',
    },
    {
      name: 'builds_organization_id_created_at_id_index',
      table: 'builds',
      definition: '("organization_id", "created_at", "id")',
    },
    {
      name: 'builds_pipeline_id_created_at_id_index',
      table: 'builds',
      definition: '("pipeline_id", "created_at", "id")',
    },
    {
      name: 'builds_organization_id_finished_at_index',
      table: 'builds',
      definition: '("organization_id", "finished_at")',
    },
    {
      name: 'builds_pipeline_id_finished_at_index',
      table: 'builds',
      definition: '("pipeline_id", "finished_at")',
    },
    {
      // Values are longer than an index takes, so it holds a number made of them.
      name: 'build_meta_data_value_index',
      table: 'build_meta_data',
      definition: '("key", hashtextextended("value", 0), "build_id")',
    },
    {
      name: 'jobs_organization_id_state_id_index',
      table: 'jobs',
      definition: '("organization_id", "state", "id")',
    },
    { name: 'jobs_pipeline_id_state_id_index', table: 'jobs', definition: '("pipeline_id", "state", "id")' },
    { name: 'jobs_organization_id_finished_at_index', table: 'jobs', definition: '("organization_id", "finished_at")' },
    {
      name: 'jobs_failed_of_organization_index',
      table: 'jobs',
      definition: `("organization_id", "id") where "state" = 'finished' and not "passed"`,
    },
    {
      name: 'jobs_failed_of_pipeline_index',
      table: 'jobs',
      definition: `("pipeline_id", "id") where "state" = 'finished' and not "passed"`,
    },
    {
      name: 'jobs_agent_id_assigned_at_id_index',
      table: 'jobs',
      definition: '("agent_id", "assigned_at", "id") where "assigned_at" is not null',
    },
    {
      name: 'jobs_cluster_queue_id_id_index',
      table: 'jobs',
      definition: '("cluster_queue_id", "id")',
    },
    {
      name: 'jobs_of_concurrency_group_index',
      table: 'jobs',
      definition: '("organization_id", "concurrency_group", "id") where "concurrency_group" is not null',
    },
    {
      name: 'steps_organization_id_key_index',
      table: 'steps',
      definition: '("organization_id", "key") where "key" is not null',
    },
  ];
}
