import { defineEntity, p } from '@mikro-orm/core';
import type { ExtractKind } from '../../domain/builds/failures/extract.js';
import { json, textOrNull } from '../columns.js';

/** The lines of a failed job's log that tell of the failure, kept as long as its build. */
export const LogExtractSchema = defineEntity({
  name: 'LogExtract',
  tableName: 'log_extracts',
  indexes: [
    { properties: ['organizationId', 'jobId'] },
    { properties: ['pipelineId', 'jobId'] },
    {
      name: 'log_extracts_cluster_index',
      properties: ['organizationId', 'cluster', 'jobId'],
      expression:
        `create index "log_extracts_cluster_index" on "log_extracts" ("organization_id", "cluster", "job_id") ` +
        `where "cluster" is not null`,
    },
  ],
  properties: {
    jobId: p.uuid().primary(),
    organizationId: p.uuid(),
    pipelineId: p.uuid(),
    /** The lines, without escape sequences, with line feeds between. */
    content: p.text(),
    /** Number of each line in the log, from 0, and what it is. */
    places: json<[line: number, kind: ExtractKind][]>(),
    /** Hash of the line that decided, and its index. */
    cluster: textOrNull(),
    decisive: p.integer().nullable(),
  },
});
