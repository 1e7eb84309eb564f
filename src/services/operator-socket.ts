import { join } from 'node:path';
import type { LogSearchPlace } from '../domain/builds/logs/search/search-places.js';

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

/** What `slipway logs search` looks for; times as ISO 8601. */
export interface OperatorSearch {
  q: string;
  regexp: boolean;
  in?: LogSearchPlace | undefined;
  cluster?: string | undefined;
  organization?: string | undefined;
  pipeline?: string | undefined;
  branch?: string | undefined;
  shownStates?: string[] | undefined;
  createdFrom?: string | undefined;
}

/** A line that was found, as `--json` prints it; lines count from 1. */
export interface FoundLogLine {
  build_number: number;
  pipeline_slug: string;
  job_id: string;
  line: number;
  text: string;
  url: string;
  /** Hash of the failure, in extracts. */
  cluster: string | null;
}

/** A line of the reply to a search. */
export type SearchReplyLine = { matches: FoundLogLine[] } | { error: string } | { complete: true };
