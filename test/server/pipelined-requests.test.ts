import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { limits } from '../../src/domain/limits/limits.js';
import { boundPipelined } from '../../src/http/pipelined-requests.js';

const { pipelinedRequests } = limits;

describe('requests that are sent without waiting for replies', () => {
  let server: Server;
  let seen = 0;
  let mostAtOnce = 0;
  let open = 0;
  beforeAll(async () => {
    const listener = boundPipelined((_request, response) => {
      seen += 1;
      open += 1;
      mostAtOnce = Math.max(mostAtOnce, open);
      setTimeout(() => response.end('ok'), 5);
      response.once('close', () => (open -= 1));
    });
    server = createServer(listener).listen(0);
    await once(server, 'listening');
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const send = async (requests: number): Promise<string> => {
    const socket = connect((server.address() as AddressInfo).port);
    socket.on('error', () => undefined);
    let received = '';
    socket.on('data', (piece) => (received += piece));
    const last = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(requests - 1) + last);
    await new Promise((resolve) => socket.once('close', resolve));
    return received;
  };

  test('a handful of them are all answered', async () => {
    expect((await send(pipelinedRequests)).match(/HTTP\/1\.1 200/g)).toHaveLength(pipelinedRequests);
  });

  test('twenty thousand on one connection end it, and cost no more than its first ones', async () => {
    seen = 0;
    mostAtOnce = 0;
    let made = 0;
    const count = () => (made += 1);
    subscribe('http.server.request.start', count);
    await send(20_000);
    unsubscribe('http.server.request.start', count);
    expect(made).toBe(pipelinedRequests + 1);
    expect(mostAtOnce).toBeLessThanOrEqual(pipelinedRequests);
    expect(seen).toBeLessThanOrEqual(2 * pipelinedRequests);
    expect((await send(2)).match(/HTTP\/1\.1 200/g)).toHaveLength(2);
  });

  test('all of them close with their connection, the ones whose turn has not come too', async () => {
    const isOver = () => vi.waitFor(() => expect(open).toBe(0));
    await isOver();
    const [before, { port }] = [seen, server.address() as AddressInfo];
    const socket = connect(port).on('error', () => undefined);
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(10));
    await vi.waitFor(() => expect(seen - before).toBe(10), { interval: 1 });
    socket.destroy();
    await isOver();
    await send(20_000);
    await isOver();
  });
});
