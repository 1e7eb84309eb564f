import { chmodSync, lstatSync, unlinkSync } from 'node:fs';
import { connect, type Server, type Socket } from 'node:net';
import { unixPeer } from '../http/client-address.js';
import { AddressError } from './address-error.js';

const prefix = 'unix:';

/** The socket file that HOST names as `unix:/path`; null for a host. */
export function socketPathOf(host: string): string | null {
  return host.startsWith(prefix) ? host.slice(prefix.length) : null;
}

/** For the user and the group of the server, such as the proxy's: the folder's rights narrow it further. */
const socketMode = 0o660;

/** Gives the socket file its rights. */
export function openToGroup(path: string): void {
  chmodSync(path, socketMode);
}

/**
 * Removes a socket file that a server has left which did not end by itself. Rejects with {@link AddressError} where
 * one still listens on it, or something else has that name.
 */
export async function removeLeftSocket(path: string): Promise<void> {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat) return;
  if (!stat.isSocket())
    throw new AddressError(`${path} is there and no socket: remove it, or set HOST to unix: and another path`);
  const problem = await new Promise<string | null>((resolve) => {
    const socket = connect({ path });
    socket
      .once('connect', () => resolve(null))
      .once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
      .once('close', () => socket.destroy());
    socket.setTimeout(1_000, () => resolve('ETIMEDOUT'));
    socket.once('connect', () => socket.destroy());
  });
  if (problem === null)
    throw new AddressError(`the socket ${path} is that of another process: stop it, or set HOST to another path`);
  if (problem === 'ECONNREFUSED') unlinkSync(path);
}

/**
 * Names the other side of each connection of a unix socket, which has no address: whoever may open the socket file is
 * believed what a proxy says of its callers.
 */
export function nameUnixPeers(server: Server): void {
  server.prependListener('connection', (socket: Socket) => {
    if (typeof server.address() === 'string') Object.defineProperty(socket, 'remoteAddress', { value: unixPeer });
  });
}
