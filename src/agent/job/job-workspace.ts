import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { openJobSocket, type JobSocket, type JobSocketServices } from '../job-socket/job-socket.js';

/** A private folder of one job with what its programs need of the agent: the `buildkite-agent` command and a socket. */
export interface JobWorkspace {
  folder: string;
  /** Folder of the command, for the end of PATH. */
  binPath: string;
  socket: JobSocket;
  close: () => Promise<void>;
}

/** Unix sockets have addresses of about a hundred bytes. */
const longestFolder = 60;

/** Program and arguments that run `buildkite-agent`: this installation's own. */
export function ownCommandProgram(): string[] {
  return [process.execPath, '--no-warnings', fileURLToPath(new URL('../job-commands/main.js', import.meta.url))];
}

/**
 * @param commandProgram program and first arguments of the `buildkite-agent` command
 */
export async function openWorkspace(
  commandProgram: readonly string[],
  services: JobSocketServices,
): Promise<JobWorkspace> {
  const parent = tmpdir().length > longestFolder && existsSync('/tmp') ? '/tmp' : tmpdir();
  const folder = await mkdtemp(join(parent, 'slipway-job-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  try {
    const binPath = join(folder, 'bin');
    await mkdir(binPath);
    const script = `#!/bin/sh\nexec ${commandProgram.map(quoted).join(' ')} "$@"\n`;
    await writeFile(join(binPath, 'buildkite-agent'), script, { mode: 0o755 });
    const socket = await openJobSocket(folder, services);
    const close = async (): Promise<void> => {
      await socket.close();
      await remove();
    };
    return { folder, binPath, socket, close };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** A text as one word of a shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
