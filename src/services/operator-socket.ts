import { join } from 'node:path';

/**
 * The socket on which a server with the embedded database answers commands of its operator. It is in the data folder,
 * which only its owner may enter: whoever reaches it could read the database itself.
 */
export const operatorSocket = (dataDir: string): string => join(dataDir, 'operator.sock');

/** Longest path of a socket that every system takes. */
export const longestSocketPath = 103;

/** A line before the bytes of a backup. */
export type BackupLine<Summary> =
  | { progress: string }
  /** So many bytes follow. */
  | { bytes: number; summary: Summary }
  | { error: string };
