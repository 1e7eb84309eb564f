import { execFile } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A pipe whose write end several file descriptors of one child can share. */
export interface OutputPipe {
  /** File descriptor for the child; close it here once the child has it. */
  writeFd: number;
  readable: Socket;
}

/**
 * Opens a real pipe, so that stdout and stderr keep their order in it. Node's own pipes to children are sockets,
 * on which `echo text > /dev/stderr` fails; a FIFO is one file that works. Gives `undefined` where there is no
 * `mkfifo`, and the caller then does with a socket.
 */
export async function openOutputPipe(): Promise<OutputPipe | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-job-'));
  try {
    const path = join(folder, 'output');
    await run('mkfifo', ['-m', '600', path]);
    const readFd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const writeFd = openSync(path, constants.O_WRONLY);
      return { writeFd, readable: new Socket({ fd: readFd, readable: true, writable: false }) };
    } catch (error) {
      closeSync(readFd);
      throw error;
    }
  } catch {
    return undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
