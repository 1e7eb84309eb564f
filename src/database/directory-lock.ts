import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { spaceErrorOf } from './embedded/requirements.js';

/** Record of the holder in the lock file. */
interface LockRecord {
  pid: number;
  host: string;
  /** One boot of one kernel: the lock of the file itself keeps two of its processes apart. */
  bootId: string;
  /** Process numbers mean something only within one. */
  pidNamespace: string;
  /** This one taking of the lock. */
  nonce: string;
  startedAt: string;
  heartbeatAt: string;
}

/** Thrown when another process has the embedded database open; the message names it and where it runs. */
export class DirectoryInUseError extends Error {
  constructor(
    directory: string,
    readonly pid: number | null,
    where: string,
    hint = '',
  ) {
    const holder = pid === null ? 'another process' : `process ${pid}`;
    super(
      `${directory} is in use by ${holder}${where}: the embedded database can be opened by one process at a ` +
        `time. Stop that process, or set DATABASE_URL to share one PostgreSQL between several.${hint}`,
    );
  }
}

/** Thrown when others can reach the data directory and its mode is not ours to change. */
export class DirectoryAccessError extends Error {}

const heartbeatEveryMs = 5_000;
/** A record that was not renewed for so long is that of a dead process. */
const freshForMs = 30_000;
/** Wait for another process that started at the same moment, where files have no locks. */
const settleMs = 250;

/**
 * Takes the lock file of a data directory; rejects with {@link DirectoryInUseError} naming the holder, and with
 * `RequirementError` if its disk is full. The lock is one
 * of the operating system on the open file: it holds across containers and process namespaces of one machine, and goes
 * with its holder however that ends. Across machines, and where files cannot be locked, the heartbeat in the file
 * counts: a directory is refused while it is younger than 30 seconds.
 * @returns the function that releases it and deletes the file.
 */
export async function lockDirectory(directory: string): Promise<() => void> {
  try {
    return await lockUnlessInUse(directory);
  } catch (error) {
    throw spaceErrorOf(directory, error);
  }
}

async function lockUnlessInUse(directory: string): Promise<() => void> {
  protectDirectory(directory);
  const path = join(directory, 'slipway.lock');
  const tryLock = await loadLocks();
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
    try {
      const release = await take(directory, path, file, tryLock);
      if (release) return release;
    } catch (error) {
      closeSync(file);
      throw error;
    }
    // The holder deleted the file between our opening and our locking it: another may be locking a new one.
    closeSync(file);
  }
  throw new Error(`could not take the lock file ${path}`);
}

async function take(
  directory: string,
  path: string,
  file: number,
  tryLock: TryLock | null,
): Promise<(() => void) | null> {
  const locked = tryLock ? lockFile(file, tryLock) : null;
  const holder = readRecord(path);
  if (locked === false) throw new DirectoryInUseError(directory, holder?.pid ?? null, holder ? placeOf(holder) : '');
  if (locked && !isSameFile(file, path)) return null;
  const own = newRecord();
  if (holder && isAlive(holder, own, locked === true)) {
    const hint = ` If that process is gone, wait ${freshForMs / 1000} seconds, or delete ${path}.`;
    throw new DirectoryInUseError(directory, holder.pid, placeOf(holder), hint);
  }
  write(file, own);
  if (locked === null) {
    // If two processes start at once, the last writer holds the lock.
    await sleep(settleMs);
    const winner = readRecord(path);
    if (winner && winner.nonce !== own.nonce) throw new DirectoryInUseError(directory, winner.pid, placeOf(winner));
  }
  const heartbeat = setInterval(() => renew(path, file, own), heartbeatEveryMs).unref();
  let released = false;
  return () => {
    if (released) return;
    released = true;
    clearInterval(heartbeat);
    // Deleted while it is locked: a process that waits for it finds the file gone and starts again.
    if (isSameFile(file, path)) rmSync(path, { force: true });
    closeSync(file);
  };
}

type TryLock = (file: number) => boolean;

/**
 * Null on a platform for which the package has no binary (musl, uncommon processors): there the heartbeat alone counts.
 */
async function loadLocks(): Promise<TryLock | null> {
  try {
    const { tryLock } = await import('fs-native-extensions');
    return (file) => tryLock(file);
  } catch {
    return null;
  }
}

/** True: ours; false: another's; null: the file system has no locks. */
function lockFile(file: number, tryLock: TryLock): boolean | null {
  try {
    return tryLock(file);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EACCES' || code === 'EAGAIN') return false;
    if (['ENOLCK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL'].includes(code)) return null;
    throw error;
  }
}

/**
 * Whether the process of a record may still have the directory open. A process of this machine that released its lock
 * has ended; for any other process the heartbeat decides. A heartbeat in the future comes from a machine whose clock is
 * ahead.
 */
function isAlive(holder: LockRecord, own: LockRecord, locked: boolean): boolean {
  const sameMachine = holder.bootId === own.bootId;
  if (sameMachine && (locked || (holder.pidNamespace === own.pidNamespace && !exists(holder.pid)))) return false;
  return Date.parse(holder.heartbeatAt) > Date.now() - freshForMs;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Renews the heartbeat. Another's record in the file means that we were taken for dead: two must not go on. */
function renew(path: string, file: number, own: LockRecord): void {
  const current = readRecord(path);
  if (current && current.nonce !== own.nonce) {
    process.stderr.write(
      `error: ${path} was taken over by process ${current.pid}${placeOf(current)} while this process stood ` +
        `still; stopping, so that only one writes\n`,
    );
    process.exit(1);
  }
  try {
    write(file, { ...own, heartbeatAt: new Date().toISOString() });
  } catch (error) {
    // A full disk or a network that is away: the next beat may get through, and the lock is held meanwhile.
    process.stderr.write(`warning: the heartbeat in ${path} could not be written: ${(error as Error).message}\n`);
  }
}

function write(file: number, record: LockRecord): void {
  const text = Buffer.from(`${JSON.stringify(record)}\n`);
  writeSync(file, text, 0, text.length, 0);
  ftruncateSync(file, text.length);
}

function newRecord(): LockRecord {
  const now = new Date().toISOString();
  return {
    pid: process.pid,
    host: hostname(),
    bootId: readBootId(),
    pidNamespace: readLink('/proc/self/ns/pid'),
    nonce: randomUUID(),
    startedAt: now,
    heartbeatAt: now,
  };
}

function readRecord(path: string): LockRecord | null {
  try {
    const value = JSON.parse(readFileSync(path, 'utf8')) as Partial<LockRecord> | null;
    return typeof value?.pid === 'number' && typeof value.heartbeatAt === 'string' ? (value as LockRecord) : null;
  } catch {
    return null;
  }
}

/**
 * Returns the container or machine of a process if it is not this one's, because its number alone would name another
 * process here.
 */
function placeOf(holder: LockRecord): string {
  if (holder.host !== hostname()) return ` on host ${holder.host}`;
  return holder.pidNamespace === readLink('/proc/self/ns/pid')
    ? ''
    : ` of another container or process namespace on host ${holder.host}`;
}

function isSameFile(file: number, path: string): boolean {
  try {
    const [opened, named] = [fstatSync(file), statSync(path)];
    return opened.ino === named.ino && opened.dev === named.dev;
  } catch {
    return false;
  }
}

/**
 * Creates the directory, or revokes other users' access to an existing one, because it contains keys and secrets.
 * Throws DirectoryAccessError if it belongs to another user.
 */
function protectDirectory(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (process.platform === 'win32') return;
  const { mode, uid } = statSync(directory);
  if ((mode & 0o077) === 0) return;
  try {
    chmodSync(directory, mode & 0o7700);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
    throw new DirectoryAccessError(
      `${directory} can be read by others (mode ${(mode & 0o777).toString(8)}) and belongs to user ${uid}, not to this process (user ${process.getuid?.()}): have its owner run chmod 700 on it and hand it over, or set DATA_DIR to a directory inside it.`,
    );
  }
}

/** Returns the boot id, which only Linux has, or else the name of the machine. */
function readBootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return `host ${hostname()}`;
  }
}

function readLink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
