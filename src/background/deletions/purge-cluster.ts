import { sql } from 'kysely';
import { deleteSome } from './delete-some.js';
import type { Purge } from './purge.js';

/** Purges agents of a deleted cluster, and rollups of their time. Jobs that they ran remain, without their agent. */
export const clusterPurge: Purge = {
  count: async ({ db }, { organizationId, resourceId }) => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from agents
      where organization_id = ${organizationId} and cluster_id = ${resourceId}`.execute(db);
    return rows[0]?.count ?? 0;
  },

  prepare: async () => 0,

  batch: async ({ db }, { organizationId, resourceId }, most) => {
    const where = sql`organization_id = ${organizationId} and cluster_id = ${resourceId}`;
    const agents = await deleteSome(db, [{ table: 'agents', where }], most);
    const others = await deleteSome(db, [{ table: 'agent_time_rollups', where }], most - agents);
    return { rows: agents + others, items: agents, ended: agents + others < most };
  },
};
