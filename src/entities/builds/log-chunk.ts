import { defineEntity, p } from '@mikro-orm/core';

/**
 * Index of a job's log: where each piece of it lies in the object storage. The bytes are never in the database.
 * Chunks have the agent's numbers, pieces merged from chunks negative ones.
 */
export const LogChunkSchema = defineEntity({
  name: 'LogChunk',
  tableName: 'log_chunks',
  indexes: [{ properties: ['jobId', 'startOffset', 'sequence'] }],
  properties: {
    jobId: p.uuid().primary(),
    sequence: p.integer().primary(),
    organizationId: p.uuid(),
    startOffset: p.bigint('number'),
    size: p.integer(),
    storedKey: p.text(),
    storedSize: p.integer(),
  },
});
