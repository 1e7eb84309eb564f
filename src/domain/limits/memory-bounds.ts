/**
 * Bounds that follow from the heap of the process: with them a small process refuses what a large one answers, and no
 * reply alone takes what the callers beside it need. `heapLimit` is `v8.getHeapStatistics().heap_size_limit` in bytes.
 */
const MIB = 1024 * 1024;

/** The share of the heap that one reply may take, as a divisor. */
const REPLY_SHARE = 16;

/** Bytes that one reply may read and hold: a sixteenth of the heap, at least 32 MiB, at most 256 MiB. */
export const replyBytes = (heapLimit: number): number =>
  Math.min(256 * MIB, Math.max(32 * MIB, Math.floor(heapLimit / REPLY_SHARE)));

/**
 * The share of the heap that the large bodies in flight may have, as a divisor: what is made of a body takes several
 * times its bytes.
 */
const BODY_SHARE = 8;

/** Bytes of large bodies that the process holds at a time: an eighth of the heap, at least 64 MiB, at most 512 MiB. */
export const bodyBytes = (heapLimit: number): number =>
  Math.min(512 * MIB, Math.max(64 * MIB, Math.floor(heapLimit / BODY_SHARE)));

/**
 * Bytes of the memory for replies that have not changed, unless the operator sets them: a sixteenth of the heap, at
 * most 64 MiB.
 */
export const replyMemoryBytes = (heapLimit: number): number => Math.min(64 * MIB, Math.floor(heapLimit / REPLY_SHARE));

/**
 * Bytes of the memory of a process for GraphQL: a sixteenth of the heap, at most 128 MiB. Half of it is for parsed
 * documents, three eighths for plans, an eighth for documents of subscriptions.
 */
export const graphqlMemoryBytes = (
  heapLimit: number,
): Record<'graphql_documents' | 'graphql_plans' | 'graphql_subscriptions', number> => {
  const eighth = Math.floor(Math.min(128 * MIB, heapLimit / REPLY_SHARE) / 8);
  return { graphql_documents: 4 * eighth, graphql_plans: 3 * eighth, graphql_subscriptions: eighth };
};

/** Bytes of the memory for parsed definitions of pipelines: a thirty-second of the heap, at most 32 MiB. */
export const definitionMemoryBytes = (heapLimit: number): number =>
  Math.min(32 * MIB, Math.floor(heapLimit / (2 * REPLY_SHARE)));
