import { defineEntity, p } from '@mikro-orm/core';
import type { Json } from '../../domain/pipelines/steps/step.js';
import { at, json, textOrNull } from '../columns.js';

/** `Idempotency-Key` of an unsafe request, kept 24 hours per token; written in the transaction of the effect. */
export const IdempotencyKeySchema = defineEntity({
  name: 'IdempotencyKey',
  tableName: 'idempotency_keys',
  indexes: [{ properties: ['createdAt'] }],
  properties: {
    apiTokenId: p.uuid().primary(),
    key: p.text().primary(),
    operation: p.text(),
    fingerprint: p.text(),
    /** Output of the operation; the surface renders it again if the first reply was lost. */
    result: json<Json>().nullable(),
    replyStatus: p.integer().nullable(),
    replyBody: textOrNull(),
    createdAt: at(),
  },
});
