import { defineEntity, p } from '@mikro-orm/core';
import type { UploadFormat } from '../../domain/suites/results/formats.js';
import { at, json, textOrNull } from '../columns.js';

/** Reply to an upload, so that the same upload sent again gets the same reply. */
export const SuiteUploadSchema = defineEntity({
  name: 'SuiteUpload',
  tableName: 'suite_uploads',
  uniques: [{ properties: ['runId', 'fingerprint'] }, { properties: ['suiteId', 'idempotencyKey'] }],
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    suiteId: p.uuid(),
    runId: p.uuid(),
    format: p.text().$type<UploadFormat>(),
    /** Hash of everything the upload says. */
    fingerprint: p.text(),
    idempotencyKey: textOrNull(),
    queued: p.integer(),
    skipped: p.integer(),
    errors: json<string[]>(),
    createdAt: at(),
  },
});
