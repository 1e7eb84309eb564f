import { defineEntity, p } from '@mikro-orm/core';

/**
 * Which trigrams a part of a merged log has, so that a search leaves the part unread that cannot match. The parts of a
 * log lie one behind another; they say something of the log while it has the entries and bytes that the last one notes.
 */
export const LogFilterSchema = defineEntity({
  name: 'LogFilter',
  tableName: 'log_filters',
  properties: {
    jobId: p.uuid().primary(),
    /** Where the part begins in the readable log, and its bytes. */
    startOffset: p.bigint('number').primary(),
    organizationId: p.uuid(),
    size: p.integer(),
    /** Lines that end before the part. */
    firstLine: p.integer(),
    /** Bitmap of hashes; stored uncompressed. */
    trigrams: p.blob(),
    /** What `log_usage` had of the log; null for all parts but the last. */
    logEntries: p.integer().nullable(),
    logBytes: p.bigint('number').nullable(),
  },
});
