import type { Db } from '../entities/database.js';
import type { Actor } from './actor.js';

/** Whether a person maintains a cluster: themselves, or through a team. Says nothing of administrators. */
export async function maintainsCluster(db: Db, actor: Actor, clusterId: string): Promise<boolean> {
  if (actor.kind !== 'user') return false;
  const row = await db
    .selectFrom('cluster_maintainers as m')
    .leftJoin('team_members as tm', (join) =>
      join.onRef('tm.teamId', '=', 'm.teamId').on('tm.userId', '=', actor.userId),
    )
    .select('m.id')
    .where('m.clusterId', '=', clusterId)
    .where((eb) => eb.or([eb('m.userId', '=', actor.userId), eb('tm.id', 'is not', null)]))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
