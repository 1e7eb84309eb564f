import { sql } from 'kysely';
import type { Db } from '../../../entities/database.js';

/** What a queue is called where all clusters of the installation are shown together. */
export interface QueueName {
  cluster: string;
  queue: string;
}

/**
 * Names of the oldest queues of the installation by their ids, at most `most`. Where clusters of several organizations
 * have the same name, all but the oldest are called `organization/cluster`.
 */
export async function readQueueNames(db: Db, most: number): Promise<Map<string, QueueName>> {
  const { rows } = await sql<{ id: string; key: string; name: string; slug: string; isFirst: boolean }>`
    select q.id, q.key, c.name, o.slug,
      not exists (select from clusters d where d.name = c.name and d.id < c.id) as is_first
    from (select id, key, cluster_id from cluster_queues order by id limit ${most}) as q
    join clusters c on c.id = q.cluster_id join organizations o on o.id = c.organization_id
    order by q.id`.execute(db);
  return new Map(
    rows.map(({ id, key, name, slug, isFirst }) => [id, { cluster: isFirst ? name : `${slug}/${name}`, queue: key }]),
  );
}
