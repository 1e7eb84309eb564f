import { defineEntity, p } from '@mikro-orm/core';
import { at, json, textOrNull } from '../columns.js';

/** One pipeline upload of a job: its outcome, so that the same upload sent again has no second effect, and its text. */
export const StepUploadSchema = defineEntity({
  name: 'StepUpload',
  tableName: 'step_uploads',
  uniques: [{ properties: ['jobId', 'uuid'] }],
  indexes: [
    { properties: ['buildId', 'sequence'] },
    {
      name: 'step_uploads_definition_index',
      properties: ['createdAt'],
      expression:
        `create index "step_uploads_definition_index" on "step_uploads" ("created_at") where ` +
        `"definition" is not null`,
    },
  ],
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    buildId: p.uuid(),
    /** The job that uploaded it. */
    jobId: p.uuid(),
    /** Chosen by the agent, constant over its retries of one upload. */
    uuid: p.uuid(),
    /** Number of the upload among those applied to the build, from 1; 0 for a rejected one. */
    sequence: p.integer(),
    state: p.text().$type<'applied' | 'rejected'>(),
    /** Why it was rejected. */
    message: textOrNull(),
    replace: p.boolean().default(false),
    stepsCount: p.integer().default(0),
    jobsCount: p.integer().default(0),
    /** Jobs that `replace` removed. */
    removedJobsCount: p.integer().default(0),
    /** The pipeline as JSON text; null for a long one, and once its retention is over. */
    definition: textOrNull(),
    definitionBytes: p.integer(),
    /** `pipeline_env` of the build before this upload, where the upload changed it: that of jobs taken earlier. */
    pipelineEnvBefore: json<Record<string, string>>().nullable(),
    createdAt: at(),
  },
});
