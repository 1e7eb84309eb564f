/** The limits of reads on a replica of the database, in milliseconds; part of `limits.ts`. */
export const readReplicaLimits = {
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
