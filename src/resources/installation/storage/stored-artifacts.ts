import { artifactKey } from '../../../core/build-folder.js';
import type { StoredObjectKind } from './stored-object-kind.js';

const artifactObject = /^organizations\/[^/]+\/builds\/[^/]+\/artifacts\/([0-9a-f-]{36})\//;

/** Bytes of artifacts, owned by rows of `artifacts` that wait for them or have them. */
export const storedArtifacts: StoredObjectKind = {
  name: 'artifacts',

  orphans: async ({ db }, objects) => {
    const bytes = objects.flatMap((object) => {
      const artifactId = artifactObject.exec(object.key)?.[1];
      return artifactId === undefined ? [] : [{ ...object, artifactId }];
    });
    if (bytes.length === 0) return [];
    const ids = [...new Set(bytes.map(({ artifactId }) => artifactId))];
    const owners = await db
      .selectFrom('artifacts')
      .select('id')
      .where('id', 'in', ids)
      .where('state', 'in', ['new', 'finished'])
      .execute();
    const owning = new Set(owners.map(({ id }) => id));
    return bytes.filter(({ artifactId }) => !owning.has(artifactId));
  },

  rowsAfter: async ({ db }, cursor, limit) => {
    let query = db
      .selectFrom('artifacts')
      .select(['id', 'organizationId', 'buildId'])
      .where('state', '=', 'finished')
      .where('uploadDestination', 'is', null)
      .orderBy('id')
      .limit(limit);
    if (cursor) query = query.where('id', '>', cursor[0]);
    return (await query.execute()).map((artifact) => ({
      cursor: [artifact.id, 0],
      key: artifactKey(artifact),
      names: { artifactId: artifact.id },
    }));
  },

  isOwner: async ({ db }, { cursor: [id] }) => {
    const row = await db
      .selectFrom('artifacts')
      .select('id')
      .where('id', '=', id)
      .where('state', '=', 'finished')
      .executeTakeFirst();
    return row !== undefined;
  },
};
