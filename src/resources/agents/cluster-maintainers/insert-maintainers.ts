import type { Context } from '../../../request/context.js';
import { idFromEither } from '../../../domain/node-id.js';
import { invalidField } from '../../../domain/problem.js';
import type { ClusterMaintainerRow, ClusterRow } from '../../../entities/database.js';
import { teamIsVisible } from '../../../core/team-visibility.js';
import type { NewMaintainer } from './fields.js';

/** Makes users of the organization and visible teams maintainers of a cluster; null for one that already is. */
export async function insertMaintainers(
  context: Context,
  cluster: ClusterRow,
  maintainers: readonly NewMaintainer[],
): Promise<(ClusterMaintainerRow | null)[]> {
  const rows: (ClusterMaintainerRow | null)[] = [];
  for (const each of maintainers) {
    const who = await resolve(context, cluster, each);
    const row = await context.db
      .insertInto('cluster_maintainers')
      .values({
        id: context.newId(),
        organizationId: cluster.organizationId,
        clusterId: cluster.id,
        ...who,
        createdById: context.userId,
        createdAt: context.now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst();
    rows.push(row ?? null);
  }
  return rows;
}

async function resolve(
  context: Context,
  { organizationId }: ClusterRow,
  { user, team }: NewMaintainer,
): Promise<{ userId: string | null; teamId: string | null }> {
  if ((user == null) === (team == null)) throw invalidField('', 'A maintainer is either a user or a team');
  if (user != null) {
    const id = idFromEither(user, ['User']);
    const member =
      id &&
      (await context.db
        .selectFrom('organization_members')
        .select('userId')
        .where('organizationId', '=', organizationId)
        .where('userId', '=', id)
        .executeTakeFirst());
    if (!member) throw invalidField('user', 'is not a member of the organization');
    return { userId: member.userId, teamId: null };
  }
  const id = idFromEither(team ?? '', ['Team']);
  const teamRow =
    id &&
    (await context.db
      .selectFrom('teams as t')
      .select('t.id')
      .where('t.id', '=', id)
      .where('t.organizationId', '=', organizationId)
      .where(teamIsVisible(context.actor))
      .executeTakeFirst());
  if (!teamRow) throw invalidField('team', 'does not exist');
  return { userId: null, teamId: teamRow.id };
}
