import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { Backup, BackupProgress } from '../resources/installation/backup/back-up.js';
import { type BackupLine, operatorSocket } from '../services/operator-socket.js';
import { askOperatorSocket as ask } from './ask-operator-socket.js';

/** What the server tells of a backup; the manifest is in the backup itself. */
export type ServerBackup = Omit<Backup, 'manifest'>;

const newline = 0x0a;
const longestLine = 1024 * 1024;

/** A running server that holds the embedded database. */
export interface AskableServer {
  /** Id of the installation. */
  installation: string;
  backUp: (sink: Writable, progress: (step: BackupProgress) => void) => Promise<ServerBackup>;
}

/** The server that answers commands beside the embedded database of a data folder; null if none does. */
export async function askServer(dataDir: string): Promise<AskableServer | null> {
  const socketPath = operatorSocket(dataDir);
  let installation = '';
  try {
    for await (const piece of await ask(socketPath, 'GET', '/installation')) installation += String(piece);
  } catch (error) {
    if (['ENOENT', 'ECONNREFUSED', 'EACCES', 'ENOTSOCK'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return null;
    throw error;
  }
  return { installation, backUp: (sink, progress) => backupOfServer(socketPath, sink, progress) };
}

/**
 * Has the running server that holds the embedded database make a backup, and writes it into a sink. Rejects with the
 * server's reason.
 */
async function backupOfServer(
  socketPath: string,
  sink: Writable,
  progress: (step: BackupProgress) => void,
): Promise<ServerBackup> {
  const response = await ask(socketPath, 'POST', '/backup');
  let head: Buffer = Buffer.alloc(0);
  let expected: { bytes: number; summary: ServerBackup } | null = null;
  let written = 0;
  const write = async (bytes: Buffer) => {
    written += bytes.length;
    if (!sink.write(bytes)) await once(sink, 'drain');
  };
  for await (const piece of response as AsyncIterable<Buffer>) {
    if (expected) {
      await write(piece);
      continue;
    }
    head = Buffer.concat([head, piece]);
    for (let end = head.indexOf(newline); end >= 0 && !expected; end = head.indexOf(newline)) {
      const line = JSON.parse(head.subarray(0, end).toString('utf8')) as BackupLine<ServerBackup>;
      head = head.subarray(end + 1);
      if ('error' in line) throw new Error(`the running server could not make the backup: ${line.error}`);
      if ('progress' in line) progress(JSON.parse(line.progress) as BackupProgress);
      else expected = line;
    }
    if (expected) await write(head);
    else if (head.length > longestLine) throw new Error('the running server answers with something else');
  }
  if (!expected || written !== expected.bytes)
    throw new Error('the running server broke the backup off: its log says why');
  sink.end();
  return expected.summary;
}
