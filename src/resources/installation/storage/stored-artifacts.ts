import { artifactKey } from '../../../core/build-folder.js';
import type { StoredObjectKind } from './stored-object-kind.js';

const artifactObject = /^organizations\/[^/]+\/builds\/[^/]+\/artifacts\/([0-9a-f-]{36})\//;

/** Bytes of artifacts, owned by rows of `artifacts` that wait for them or have them. */
export const storedArtifacts: StoredObjectKind = {
  name: 'artifacts',

  has: (key) => artifactObject.test(key),

  orphans: async ({ db }, keys) => {
    const artifactIds = new Map(keys.map((key) => [key, artifactObject.exec(key)?.[1] ?? '']));
    const owners = await db
      .selectFrom('artifacts')
      .select('id')
      .where('id', 'in', [...new Set(artifactIds.values())])
      .where('state', 'in', ['new', 'finished'])
      .execute();
    const owning = new Set(owners.map(({ id }) => id));
    return new Set(keys.filter((key) => !owning.has(artifactIds.get(key) ?? '')));
  },

  rowsAfter: async ({ db }, cursor, limit) => {
    let query = db
      .selectFrom('artifacts')
      .select(['id', 'organizationId', 'buildId', 'fileSize', 'sha256sum'])
      .where('state', '=', 'finished')
      .where('uploadDestination', 'is', null)
      .orderBy('id')
      .limit(limit);
    if (cursor) query = query.where('id', '>', cursor[0]);
    return (await query.execute()).map((artifact) => ({
      cursor: [artifact.id, 0],
      key: artifactKey(artifact),
      size: artifact.fileSize,
      sha256: artifact.sha256sum,
      run: null,
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
