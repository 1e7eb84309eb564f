import { defineEntity, p } from '@mikro-orm/core';
import type { ArtifactState } from '../domain/artifact-state.js';
import { at, atOrNull, textOrNull } from './columns.js';

/** A file that a job left behind. Its bytes are in the object storage, or where its agent put them (`url`). */
export const ArtifactSchema = defineEntity({
  name: 'Artifact',
  tableName: 'artifacts',
  /** A batch that is sent again finds what it registered the first time (agent-protocol 7.4). */
  uniques: [{ properties: ['jobId', 'batchId', 'position'] }],
  indexes: [
    { properties: ['buildId', 'id'] },
    { properties: ['jobId', 'id'] },
    { properties: ['pipelineId'] },
    {
      // The sweep looks for those that were never finished, oldest first.
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
    /** Of agents that send none, what was counted while the bytes arrived. */
    sha256sum: textOrNull(),
    /** Where its agent stores it itself; null: with us. */
    uploadDestination: textOrNull(),
    /** Where it is to be had then. */
    url: textOrNull(),
    createdAt: at(),
    /** When all of its bytes were in the object storage. */
    storedAt: atOrNull(),
    finishedAt: atOrNull(),
    deletedAt: atOrNull(),
  },
});
