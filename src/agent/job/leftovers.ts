import { lstat, readdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { AgentLog } from '../options.js';

/** Private folders of jobs, by the names that `mkdtemp` gives them. */
const named = /^slipway-(job|terminal)-\w{6}$/;
/** A folder without a socket is being made, or was left so: after this long the latter. */
const unfinishedMs = 60 * 60_000;
const atMost = 1_000;
const connectMs = 1_000;

/**
 * Removes private folders of jobs whose agent was killed. A folder is a leftover where nobody listens on its socket any
 * more; process ids would not tell, because containers may share the folder and not the ids. Never throws.
 *
 * @returns the number of folders removed
 */
export async function removeLeftovers(
  log: AgentLog,
  { parents = [...new Set([tmpdir(), '/tmp'])], now = Date.now() } = {},
): Promise<number> {
  let removed = 0;
  for (const parent of parents) {
    const names = (await readdir(parent).catch(() => [])).filter((name) => named.test(name)).slice(0, atMost);
    for (const name of names) {
      const folder = join(parent, name);
      try {
        if (!(await isLeftover(folder, now))) continue;
        await rm(folder, { recursive: true, force: true });
        removed += 1;
      } catch (error) {
        log.debug({ folder, err: error }, 'leftover of a job not removed');
      }
    }
  }
  if (removed > 0) log.info({ removed }, 'removed folders of jobs whose agent was killed');
  return removed;
}

async function isLeftover(folder: string, now: number): Promise<boolean> {
  const stats = await lstat(folder);
  const own = process.getuid === undefined || stats.uid === process.getuid();
  if (!own || !stats.isDirectory()) return false;
  const socket = join(folder, 'job.sock');
  const hasSocket = await lstat(socket).then(
    (entry) => entry.isSocket(),
    () => false,
  );
  return hasSocket ? isAbandoned(socket) : now - stats.mtimeMs > unfinishedMs;
}

/** Whether surely nobody listens on a socket. */
function isAbandoned(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const end = (abandoned: boolean): void => {
      socket.destroy();
      resolve(abandoned);
    };
    socket.setTimeout(connectMs, () => end(false));
    socket.once('connect', () => end(false));
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code === 'ECONNREFUSED'));
  });
}
