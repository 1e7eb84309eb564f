import { fstatSync } from 'node:fs';
import { text } from 'node:stream/consumers';

/** The surroundings of one command: its environment and streams, so that tests run commands in their own process. */
export interface CommandIo {
  /** Version of the agent. */
  version: string;
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  /** Whether standard input was redirected from a pipe or a file with content. */
  stdinIsReadable: boolean;
  readStdin: () => Promise<string>;
  out: (text: string) => void;
  err: (text: string) => void;
  /** Multiplies every wait between retries; below 1 in tests only. */
  retryScale?: number;
}

/** A command that failed: `message` for standard error, which may be empty, and the exit code of the program. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';

  constructor(
    message: string,
    readonly exitCode = 1,
  ) {
    super(message);
  }
}

/** The surroundings of this process. */
export function processIo(version: string): CommandIo {
  // A reader that closes the pipe early (`| head`) is not an error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  if (process.stderr.listenerCount('error') === 0) process.stderr.on('error', () => undefined);
  return {
    version,
    env: process.env,
    cwd: process.cwd(),
    stdinIsReadable: stdinIsReadable(),
    readStdin: () => text(process.stdin),
    out: (output) => void process.stdout.write(output),
    err: (output) => void process.stderr.write(output),
  };
}

function stdinIsReadable(): boolean {
  try {
    const stat = fstatSync(0);
    return stat.isFIFO() || stat.isSocket() || (stat.isFile() && stat.size > 0);
  } catch {
    return false;
  }
}
