import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Thrown when another live process has the embedded database open. */
export class DirectoryInUseError extends Error {
  constructor(directory: string, readonly pid: number) {
    super(`${directory} is in use by process ${pid}: the embedded database can be opened by one process at a time. Stop that process, or set DATABASE_URL to share one PostgreSQL between several.`);
  }
}

/**
 * Takes the lock file of a data directory, or throws {@link DirectoryInUseError} naming the holder. A lock whose
 * process has died is taken over. Returns the release function.
 */
export function lockDirectory(directory: string): () => void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, 'slipway.lock');
  for (let attempt = 0; attempt < 3; attempt += 1) {
    try {
      const file = openSync(path, 'wx', 0o600);
      writeSync(file, JSON.stringify({ pid: process.pid, started: processStart(process.pid) }));
      closeSync(file);
      return () => rmSync(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const holder = readHolder(path);
      if (holder && isAlive(holder)) throw new DirectoryInUseError(directory, holder.pid);
      rmSync(path, { force: true });
    }
  }
  throw new Error(`could not take the lock file ${path}`);
}

interface Holder {
  pid: number;
  started: string | null;
}

function readHolder(path: string): Holder | null {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return typeof value === 'object' && value !== null && 'pid' in value ? (value as Holder) : null;
  } catch {
    return null;
  }
}

function isAlive(holder: Holder): boolean {
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  // A process number is given out again after a reboot, in a container at once: compare the start time where there is one.
  const started = processStart(holder.pid);
  return started === null || holder.started === null || started === holder.started;
}

function processStart(pid: number): string | null {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return null;
  const stat = readFileSync(path, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
}
