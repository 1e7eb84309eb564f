import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '../../src/services/clock.js';
import { logStore } from '../../src/resources/builds/logs/log-store.js';
import { readLog } from '../../src/storage/logs/read-log.js';
import type { ArtifactWorld } from './artifact-world.js';

/**
 * Puts a world on a port of its own and on the real clock, for agents that run against it. `listener` answers in place
 * of the world. Returns the function that closes the port and the world.
 */
export async function serveWorld(on: ArtifactWorld, listener: RequestListener = on.app): Promise<() => Promise<void>> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  Object.assign(on.world.services, {
    clock: systemClock,
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  });
  return async () => {
    server.closeAllConnections();
    server.close();
    await on.close();
  };
}

/** The log of a finished job as text, without the marks of time. */
export async function logTextOf(on: ArtifactWorld, jobId: string): Promise<string> {
  const parts: Uint8Array[] = [];
  const store = logStore(on.world.services, on.world.organization.id);
  for await (const part of readLog(store, { jobId, finished: true })) parts.push(part);
  return Buffer.concat(parts)
    .toString('utf8')
    .replace(/\x1b_bk;t=\d+\x07/g, '');
}
