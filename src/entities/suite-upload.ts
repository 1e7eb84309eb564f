import { defineEntity, p } from '@mikro-orm/core';
import type { UploadFormat } from '../domain/test-results/formats.js';
import { at, json, textOrNull } from './columns.js';

/** What was answered to an upload, so that the same one sent again gets the same answer (I11). */
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
