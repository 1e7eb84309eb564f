import { OnlineIndexMigration } from './online-index-migration.js';

/**
 * Indexes for filters of jobs that had none: agent query rules, types, priorities, clusters and groups that few jobs
 * have.
 */
export class IndexesOfJobFilters20261123090000 extends OnlineIndexMigration {
  override readonly indexes = [
    { name: 'jobs_cluster_id_id_index', table: 'jobs', definition: '("cluster_id", "id")' },
    {
      name: 'jobs_of_type_index',
      table: 'jobs',
      definition: `("organization_id", "type", "id") where "type" <> 'command'`,
    },
    {
      name: 'jobs_of_priority_index',
      table: 'jobs',
      definition: '("organization_id", "priority", "id") where "priority" <> 0',
    },
    {
      name: 'jobs_of_agent_query_rules_index',
      table: 'jobs',
      definition: `("organization_id", hash_array_extended("agent_query_rules", 0), "id") where "agent_query_rules" <> '{}'`,
    },
    { name: 'steps_group_id_index', table: 'steps', definition: '("group_id") where "group_id" is not null' },
  ];
}
