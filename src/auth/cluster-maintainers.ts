import type { Db } from '../entities/database.js';
import type { Actor } from './actor.js';

/** Which of these clusters a person maintains: themselves, or through a team. Says nothing of administrators. */
export async function maintainedClusters(db: Db, actor: Actor, clusterIds: readonly string[]): Promise<Set<string>> {
  if (actor.kind !== 'user' || clusterIds.length === 0) return new Set();
  const rows = await db
    .selectFrom('cluster_maintainers as m')
    .leftJoin('team_members as tm', (join) =>
      join.onRef('tm.teamId', '=', 'm.teamId').on('tm.userId', '=', actor.userId),
    )
    .select('m.clusterId')
    .where('m.clusterId', 'in', clusterIds)
    .where((eb) => eb.or([eb('m.userId', '=', actor.userId), eb('tm.id', 'is not', null)]))
    .distinct()
    .execute();
  return new Set(rows.map(({ clusterId }) => clusterId));
}

/** Whether a person maintains a cluster; see {@link maintainedClusters}. */
export async function maintainsCluster(db: Db, actor: Actor, clusterId: string): Promise<boolean> {
  return (await maintainedClusters(db, actor, [clusterId])).has(clusterId);
}
