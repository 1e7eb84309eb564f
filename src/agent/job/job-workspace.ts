import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openJobSocket, type JobSocket, type JobSocketServices } from '../job-socket/job-socket.js';

/** A private folder of one job with what its programs need of the agent. */
export interface JobWorkspace {
  folder: string;
  /**
   * The job's variables as the server sent them, a line `NAME="value"` each, newlines as `\\n`; for plugins that pass
   * them on.
   */
  envFile: string;
  /** The same as a JSON object. */
  envJsonFile: string;
  socket: JobSocket;
  close: () => Promise<void>;
}

/** Unix sockets have addresses of about a hundred bytes. */
const longestFolder = 60;

/**
 * @param jobEnv the variables that the server sent
 */
export async function openWorkspace(
  jobEnv: Readonly<Record<string, string>>,
  services: JobSocketServices,
): Promise<JobWorkspace> {
  const parent = tmpdir().length > longestFolder && existsSync('/tmp') ? '/tmp' : tmpdir();
  const folder = await mkdtemp(join(parent, 'slipway-job-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  try {
    const [envFile, envJsonFile] = [join(folder, 'job.env'), join(folder, 'job-env.json')];
    const { BUILDKITE_AGENT_TOKEN: _never, ...env } = jobEnv;
    const lines = Object.entries(env).map(([name, value]) => `${name}=${JSON.stringify(value)}\n`);
    await writeFile(envFile, lines.join(''), { mode: 0o600 });
    await writeFile(envJsonFile, JSON.stringify(env), { mode: 0o600 });
    const socket = await openJobSocket(folder, services);
    const close = async (): Promise<void> => {
      await socket.close();
      await remove();
    };
    return { folder, envFile, envJsonFile, socket, close };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** A text as one word of a shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
