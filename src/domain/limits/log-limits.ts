/** Limits of logs; docs/limits.md and docs/logs.md repeat them for readers. */

/** Most raw bytes of one chunk; sent to agents as `chunks_max_size_bytes` and enforced. */
export const chunkMaxBytes = 102_400;

/** Most raw bytes of a job's log (1,024 MiB); bytes beyond it are acknowledged and discarded. */
export const logMaxBytes = 1024 * 1024 * 1024;

/** Most chunks stored of one job's log: eleven days at one a second. Further ones are accepted and discarded. */
export const logMaxChunks = 1_000_000;

/** Raw bytes of one object after compaction. */
export const pieceBytes = 1024 * 1024;

/** Most chunks merged into one object, so that a log of tiny chunks is merged in bounded memory too. */
export const pieceMaxChunks = 4096;

/** Most bytes of log that the JSON form carries; of a longer log it carries the end. */
export const jsonContentMaxBytes = 100 * 1024 * 1024;

/** Most group headers whose times are stored for one log. */
export const maxHeaders = 10_000;
