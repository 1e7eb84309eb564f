import { readFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';

/** Thrown where the embedded database lacks disk space or open files to start; the message says what to change. */
export class RequirementError extends Error {
  override readonly name = 'RequirementError';
}

const mebibyte = 1024 * 1024;

/**
 * Free bytes without which the database is not opened: two segments of its log, of which a start may need one, or the
 * files of a new database. On a full disk it would abort while it recovers.
 */
const spaceToStart = { existing: 32 * mebibyte, new: 96 * mebibyte };

/** Rejects with {@link RequirementError} if the disk of a directory has too little space for the database to start. */
export async function requireSpace(directory: string, { isNew }: { isNew: boolean }): Promise<void> {
  const { bavail, bsize } = await statfs(directory);
  const needed = isNew ? spaceToStart.new : spaceToStart.existing;
  if (bavail * bsize < needed) throw lackOfSpace(directory, bavail * bsize, needed);
}

function lackOfSpace(directory: string, free: number, needed: number): RequirementError {
  const megabytes = (bytes: number) => `${Math.floor(bytes / mebibyte)} MiB`;
  return new RequirementError(
    `the disk of ${directory} has ${megabytes(free)} of free space, and the embedded database needs ${megabytes(needed)} to start: make space, or set DATA_DIR to a directory on another disk`,
  );
}

const noSpace: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT']);

/** The error to report for one of opening a directory: that its disk is full, if that is what the system says. */
export function spaceErrorOf(directory: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  return noSpace.has(code) ? lackOfSpace(directory, 0, spaceToStart.existing) : error;
}

/** Open files that a process without the database needs: connections, modules, the log and the storage. */
const otherFiles = 96;
/** Files that PostgreSQL keeps open at least and at most; those beyond are closed and opened again. */
const databaseFiles = { least: 64, most: 1000 };

/**
 * Files that the database may keep open, so that connections have the rest. Throws {@link RequirementError} if there
 * are too few.
 * @param limit most open files of this process; null if unknown
 */
export function filesOfDatabase(limit: number | null): number {
  if (limit === null) return databaseFiles.most;
  if (limit < databaseFiles.least + otherFiles)
    throw new RequirementError(
      `this process may open ${limit} files at a time, and the embedded database needs ${databaseFiles.least + otherFiles}: raise the limit (ulimit -n, LimitNOFILE of systemd, --ulimit nofile of Docker)`,
    );
  return Math.min(databaseFiles.most, Math.max(databaseFiles.least, Math.floor(limit / 2) - 32));
}

/**
 * Most open files of this process; null where the system does not tell. Node raises its limit to the hard one when it
 * starts.
 */
export function openFilesLimit(): number | null {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? null : Number(soft);
  } catch {
    return null;
  }
}
