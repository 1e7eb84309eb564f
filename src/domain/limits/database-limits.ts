/** The limits of waits for the database and for a replica of it, in milliseconds; part of `limits.ts`. */
export const databaseLimits = {
  /** Wait of a health check for a connection, less than the three seconds of the check: choice. */
  databaseWaitHealthMs: 2_500,
  /** Wait of an agent's request for a connection: choice. */
  databaseWaitAgentsMs: 30_000,
  /** Wait of any other request for a connection: choice. */
  databaseWaitRequestsMs: 8_000,
  /** Wait of background work for a connection: choice. */
  databaseWaitBackgroundMs: 20_000,
  /** Duration of a statement of a health check: choice. */
  databaseStatementHealthMs: 2_000,
  /** Duration of any other statement; migrations have no limit: choice. */
  databaseStatementMs: 60_000,
  /** Wait of a statement for a lock: choice. */
  databaseLockMs: 15_000,
  /** How far a read replica may be behind and still be read: choice. */
  readReplicaLagMs: 5_000,
  /** Wait of a read for a connection to the read replica, before the primary is asked: choice. */
  readReplicaWaitMs: 1_000,
  /** Duration of a statement on the read replica, after which the primary is asked: choice. */
  readReplicaStatementMs: 5_000,
  /** Time after a change by an API token for which its lists are read on the primary; above lag and note: choice. */
  ownWritesMs: 10_000,
  /** Time for which the note of a change by an API token stands for the changes after it: choice. */
  ownWritesNoteMs: 2_000,
} as const;
