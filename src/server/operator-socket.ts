import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { OpenDatabase } from '../database/open.js';
import type { BackupProgress } from '../resources/installation/backup/back-up.js';
import { installationId } from '../resources/installation/storage/installation-id.js';
import { takeBackup } from '../resources/installation/backup/requested-backup.js';
import { readBody } from '../http/body.js';
import {
  type BackupLine,
  longestSocketPath,
  operatorSocket,
  type OperatorSearch,
  type SearchReplyLine,
} from '../services/operator-socket.js';
import { searchAsOperator } from './search-as-operator.js';
import type { Services } from '../services/services.js';

interface Server {
  dataDir: string;
  database: OpenDatabase;
  services: Services;
  version: string;
}

/** Silence of the one who takes a backup after which it is given up: the file needs room. */
const silenceMs = 60_000;
const progressEveryMs = 1_000;

/**
 * Answers commands of the operator beside a server with the embedded database, which no other process can open: `POST
 * /backup`, one at a time, and `POST /logs/search`. Returns what ends it. A system without sockets, or a path too long
 * for one, costs a warning.
 */
export async function answerOperator({ dataDir, database, services, version }: Server): Promise<() => Promise<void>> {
  const path = operatorSocket(dataDir);
  if (path.length > longestSocketPath) {
    services.log.warn({}, 'DATA_DIR is too long for a socket: slipway backup needs the server to be stopped');
    return async () => undefined;
  }
  const installation = await installationId(services);
  const stop = new AbortController();
  let underWay: Promise<void> | null = null;
  const server = createServer((request, response) => {
    if (request.method === 'GET' && request.url === '/installation') response.end(installation);
    else if (request.method === 'POST' && request.url === '/logs/search')
      void sendSearch(services, request, response, stop.signal);
    else if (request.method !== 'POST' || request.url !== '/backup') response.writeHead(404).end();
    else if (underWay) response.writeHead(409).end();
    else
      underWay = sendBackup(response, { dataDir, database, services, version }, stop.signal).finally(() => {
        underWay = null;
      });
  });
  server.requestTimeout = 0;
  server.timeout = silenceMs;
  // That of a server that was killed: the lock of the folder is ours.
  rmSync(path, { force: true });
  try {
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve));
  } catch (error) {
    services.log.warn({ err: error }, 'no socket for commands of the operator: slipway backup needs a stopped server');
    return async () => undefined;
  }
  server.on('error', (error) => services.log.warn({ err: error }, 'the socket for commands of the operator failed'));
  return async () => {
    stop.abort(new Error('the server is stopping'));
    const closed = new Promise((resolve) => server.close(resolve));
    await underWay;
    server.closeAllConnections();
    await closed;
    rmSync(path, { force: true });
  };
}

/** Bytes of the JSON of a search. */
const searchBytes = 64 * 1024;

/** Sends the lines that a search finds as they are found: lines of JSON, the last of which says that it is over. */
async function sendSearch(
  services: Services,
  request: IncomingMessage,
  response: ServerResponse,
  stop: AbortSignal,
): Promise<void> {
  const left = new AbortController();
  response.once('close', () => left.abort(new Error('the one who asked for it has left')));
  const line = (content: SearchReplyLine) => response.write(`${JSON.stringify(content)}\n`);
  try {
    const search = JSON.parse((await readBody(request, { bytes: searchBytes })).toString()) as OperatorSearch;
    response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
    for await (const matches of searchAsOperator(services, search, AbortSignal.any([stop, left.signal])))
      if (!line({ matches })) await once(response, 'drain', { signal: left.signal });
    line({ complete: true });
  } catch (error) {
    if (!response.headersSent) response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
    if (!response.destroyed) line({ error: error instanceof Error ? error.message : String(error) });
  }
  response.end();
}

async function sendBackup(
  response: ServerResponse,
  { dataDir, database, services, version }: Server,
  stop: AbortSignal,
): Promise<void> {
  const left = new AbortController();
  response.once('close', () => left.abort(new Error('the one who asked for it has left')));
  const signal = AbortSignal.any([stop, left.signal]);
  const line = (content: BackupLine<unknown>) => response.write(`${JSON.stringify(content)}\n`);
  response.writeHead(200, { 'Content-Type': 'application/octet-stream' });
  let saidAt = performance.now();
  const progress = (step: BackupProgress) => {
    if (performance.now() - saidAt < progressEveryMs) return;
    saidAt = performance.now();
    line({ progress: JSON.stringify(step) });
  };
  services.log.info({}, 'a backup begins, which the operator has asked for');
  try {
    await takeBackup(
      { database, services, folder: dataDir },
      { version, signal, progress },
      async ({ bytes, summary: { manifest: _, ...summary }, content }) => {
        line({ bytes, summary });
        await pipeline(content, response, { signal });
      },
    );
    services.log.info({}, 'the operator has the backup');
  } catch (error) {
    services.log.warn({ err: error }, 'the backup that the operator has asked for failed');
    if (!response.headersSent || response.destroyed) return;
    line({ error: error instanceof Error ? error.message : String(error) });
    response.end();
  }
}
