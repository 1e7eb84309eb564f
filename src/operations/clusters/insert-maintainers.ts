import type { Context } from '../../context.js';
import { idFromEither } from '../../domain/node-id.js';
import { invalidField } from '../../domain/problem.js';
import type { ClusterMaintainerRow, ClusterRow } from '../../entities/database.js';
import { teamIsVisible } from '../teams/visibility.js';
import type { GivenMaintainer } from './maintainer-fields.js';

/** Makes people of the organization and teams the caller may see maintainers of a cluster; null for one that is already. */
export async function insertMaintainers(context: Context, cluster: ClusterRow, given: readonly GivenMaintainer[]): Promise<(ClusterMaintainerRow | null)[]> {
  const rows: (ClusterMaintainerRow | null)[] = [];
  for (const each of given) {
    const who = await resolve(context, cluster, each);
    const row = await context.db
      .insertInto('cluster_maintainers')
      .values({ id: context.newId(), organizationId: cluster.organizationId, clusterId: cluster.id, ...who, createdById: context.userId, createdAt: context.now })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst();
    rows.push(row ?? null);
  }
  return rows;
}

async function resolve(context: Context, { organizationId }: ClusterRow, { user, team }: GivenMaintainer): Promise<{ userId: string | null; teamId: string | null }> {
  if ((user == null) === (team == null)) throw invalidField('', 'A maintainer is either a user or a team');
  if (user != null) {
    const id = idFromEither(user, ['User']);
    const member = id && (await context.db.selectFrom('organization_members').select('userId').where('organizationId', '=', organizationId).where('userId', '=', id).executeTakeFirst());
    if (!member) throw invalidField('user', 'is not a member of the organization');
    return { userId: member.userId, teamId: null };
  }
  const id = idFromEither(team ?? '', ['Team']);
  const found = id && (await context.db.selectFrom('teams as t').select('t.id').where('t.id', '=', id).where('t.organizationId', '=', organizationId).where(teamIsVisible(context.actor)).executeTakeFirst());
  if (!found) throw invalidField('team', 'does not exist');
  return { userId: null, teamId: found.id };
}
