import { defineEntity, p } from '@mikro-orm/core';
import type { ArtifactState } from '../../domain/builds/artifact-state.js';
import { at, atOrNull, textOrNull } from '../columns.js';

/** A file that a job left behind. Its bytes are in the object storage, or where its agent put them (`url`). */
export const ArtifactSchema = defineEntity({
  name: 'Artifact',
  tableName: 'artifacts',
  /** A repeated batch finds the artifacts that it registered the first time. */
  uniques: [{ properties: ['jobId', 'batchId', 'position'] }],
  indexes: [
    { properties: ['buildId', 'id'] },
    { properties: ['jobId', 'id'] },
    { properties: ['pipelineId'] },
    {
      // The sweep looks for unfinished artifacts, oldest first.
      name: 'artifacts_unfinished_index',
      properties: ['createdAt'],
      expression: `create index "artifacts_unfinished_index" on "artifacts" ("created_at", "id") where "state" = 'new'`,
    },
  ],
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    pipelineId: p.uuid(),
    buildId: p.uuid(),
    jobId: p.uuid(),
    batchId: p.uuid(),
    /** Its place in the batch. */
    position: p.integer(),
    state: p.text().$type<ArtifactState>(),
    path: p.text(),
    absolutePath: textOrNull(),
    globPath: textOrNull(),
    contentType: p.text(),
    fileSize: p.bigint('number'),
    sha1sum: p.text(),
    /** If the agent sends none, it is computed while the bytes arrive. */
    sha256sum: textOrNull(),
    /** URL where the agent stored the file; null if it is in the object storage. */
    uploadDestination: textOrNull(),
    /** URL to download it from then. */
    url: textOrNull(),
    createdAt: at(),
    /** When all of its bytes were stored in the object storage. */
    storedAt: atOrNull(),
    finishedAt: atOrNull(),
    deletedAt: atOrNull(),
  },
});
