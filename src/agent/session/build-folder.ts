import { closeSync, constants, openSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { folderName } from '../checkout/checkout.js';
import type { AgentLog } from '../options.js';

/** The folder that holds the checkouts of one agent, and of no other one until `release` is called. */
export interface BuildFolder {
  path: string;
  release: () => void;
}

/** Agents of one machine that have the same name; a machine with more has another problem. */
const mostNamesakes = 1_000;

/** Paths of the folders that agents of this process hold, which count where files cannot be locked. */
const openLocks = new Set<string>();

type TryLock = (file: number) => boolean;

/**
 * Takes the folder `<buildPath>/<agent name>`, or `<agent name>.2` and so on while another agent works there: agents of
 * two servers, of one user who chose the name, or of one that was taken for lost may have the same name. The lock is
 * one of the operating system on a file in `<buildPath>/.locks`, which goes with its holder however that ends.
 * @throws an error with a `code` where the folder of the locks cannot be written
 */
export async function takeBuildFolder(buildPath: string, agentName: string, log: AgentLog): Promise<BuildFolder> {
  const locks = join(resolve(buildPath), '.locks');
  await mkdir(locks, { recursive: true });
  const tryLock = await loadLocks(log);
  const name = folderName(agentName);
  for (let number = 1; number <= mostNamesakes; number += 1) {
    const candidate = number === 1 ? name : `${name}.${number}`;
    const path = join(resolve(buildPath), candidate);
    const file = openLocks.has(path) ? null : openLocked(join(locks, candidate), tryLock);
    if (file === null) continue;
    openLocks.add(path);
    if (number > 1) log.warn({ agent: agentName, folder: path }, 'another agent works in the folder of this name');
    const release = (): void => {
      if (openLocks.delete(path)) closeSync(file);
    };
    return { path, release };
  }
  throw Object.assign(new Error(`${mostNamesakes} agents named ${agentName} work in ${buildPath}`), { code: 'EBUSY' });
}

/** Opens and locks a file; null where another process holds it or another user owns it. */
function openLocked(path: string, tryLock: TryLock | null): number | null {
  let file: number;
  try {
    // Never deleted: a process that waits to lock it must not get another file than the next one.
    file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EACCES' || code === 'EPERM') return null;
    throw error;
  }
  try {
    if (tryLock === null || tryLock(file)) return file;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    // A file system without locks: names of agents are all there is.
    if (code !== 'EACCES' && code !== 'EAGAIN') return file;
  }
  closeSync(file);
  return null;
}

/** Null on a platform for which the package has no binary. */
async function loadLocks(log: AgentLog): Promise<TryLock | null> {
  try {
    const { tryLock } = await import('fs-native-extensions');
    return (file) => tryLock(file);
  } catch (error) {
    log.info({ err: error }, 'files cannot be locked here: agents that share a build path need different names');
    return null;
  }
}
