import { sql } from 'kysely';
import type { TableName } from '../../entities/database.js';
import { deleteSome } from './delete-some.js';
import type { Purge } from './purge.js';

/** What an organization has beside its pipelines, suites and clusters, which are purged before it. */
const tables: readonly TableName[] = [
  'agents',
  'agent_tokens',
  'stacks',
  'cluster_queues',
  'cluster_maintainers',
  'cluster_secrets',
  'concurrency_groups',
  'rules',
  'pipeline_templates',
  'team_pipelines',
  'team_suites',
  'team_members',
  'teams',
  'pipeline_favorites',
  'organization_members',
  'organization_invitations',
  'organization_banners',
  'sso_domains',
  'api_token_organizations',
  'api_token_revocations',
  'provider_connections',
  'provider_connection_states',
  'commit_status_marks',
  'notification_services',
  'notification_deliveries',
  'notifications',
  'trigger_usage',
  'audit_events',
  'insight_rollups',
  'agent_time_rollups',
  'storage_sizes',
  'retention_leftovers',
  'build_exports',
];

/** Purges the rest of a deleted organization. The event of its deletion stays, as that of any deletion. */
export const organizationPurge: Purge = {
  count: async () => 0,

  prepare: async ({ db }, { organizationId, id }) => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from deletions
      where organization_id = ${organizationId} and id <> ${id}`.execute(db);
    return rows[0]?.count ?? 0;
  },

  batch: async ({ db, storage }, { organizationId }, most) => {
    const where = sql`organization_id = ${organizationId}`;
    const rows = await deleteSome(
      db,
      [
        ...tables.map((table) => ({ table, where })),
        { table: 'events', where: sql`${where} and type <> 'organization.delete'` },
      ],
      most,
    );
    if (rows < most) await storage.deletePrefix(`organizations/${organizationId}/`);
    return { rows, items: 0, ended: rows < most };
  },
};
