import { defineEntity, p } from '@mikro-orm/core';
import { at } from '../columns.js';

/**
 * Hashes of the lines of a log whose job has passed, with which those of failed jobs of its step are compared: of the
 * newest few of a step, also once their logs are gone.
 */
export const PassedLogSchema = defineEntity({
  name: 'PassedLog',
  tableName: 'passed_logs',
  properties: {
    pipelineId: p.uuid().primary(),
    /** Digest of the step's key, else of its label, else of its command. */
    step: p.text().primary(),
    isDefaultBranch: p.boolean().primary(),
    jobId: p.uuid().primary(),
    organizationId: p.uuid(),
    /** In order, 8 bytes each; stored uncompressed. */
    hashes: p.blob(),
    createdAt: at(),
  },
});
