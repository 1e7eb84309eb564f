import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendPieces } from '../../src/http/send-pieces.js';
import { SlowReaders } from '../../src/http/slow-readers.js';
import { UnsentBytes } from '../../src/http/unsent-bytes.js';
import { createHttpServer } from '../../src/server/listen.js';

const MiB = 1024 * 1024;

const open: (Server | Socket)[] = [];
afterEach(() => {
  for (const each of open.splice(0)) {
    if ('closeAllConnections' in each) {
      each.closeAllConnections();
      each.close();
    } else each.destroy();
  }
});

async function listening(server: Server): Promise<Server> {
  open.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return server;
}

function client(server: Server): Socket {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  open.push(socket.on('error', () => undefined));
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  return socket;
}

/** Reads a few bytes now and then, for as long as it is served; gives the bytes that it has read. */
function trickle(socket: Socket, everyMs: number, bytes: number): () => number {
  let read = 0;
  socket.pause();
  const timer = setInterval(() => (read += (socket.read(bytes) as Buffer | null)?.length ?? 0), everyMs);
  socket.once('close', () => clearInterval(timer));
  return () => read;
}

describe('connections on which bytes wait', () => {
  const serve = async (handler: RequestListener, readers: SlowReaders) => {
    const server = createServer(handler);
    readers.watch(server);
    return listening(server);
  };

  test('are cut when the client takes a few bytes now and then', async () => {
    const readers = new SlowReaders(64 * 1024, 400);
    const server = await serve((_request, response) => response.end(Buffer.alloc(32 * MiB)), readers);
    const socket = client(server);
    trickle(socket, 50, 10);
    await vi.waitFor(() => expect([readers.cut, readers.unsent]).toEqual([1, 0]), { timeout: 10_000 });
  });

  test('are left alone when the client reads on, and when there is nothing to read', async () => {
    const readers = new SlowReaders(64 * 1024, 1_000);
    const server = await serve((_request, response) => response.end(Buffer.alloc(32 * MiB)), readers);
    const idle = client(server);
    idle.resume();
    const reading = client(server);
    const bytes = trickle(reading, 50, MiB);
    await sleep(1_500);
    expect([readers.cut, idle.destroyed]).toEqual([0, false]);
    expect(bytes()).toBeGreaterThan(MiB);
  });

  test('are left alone when the process stood still for longer than its patience', async () => {
    const readers = new SlowReaders(64 * 1024, 300);
    const server = await serve((_request, response) => response.end(Buffer.alloc(64 * MiB)), readers);
    trickle(client(server), 20, 2 * MiB);
    await vi.waitFor(() => expect(readers.unsent).toBeGreaterThan(0));
    await sleep(100);
    const end = performance.now() + 900;
    while (performance.now() < end);
    await sleep(100);
    expect([readers.cut, readers.unsent > 0]).toEqual([0, true]);
  });

  test('a stream of events whose client stops reading is cut too', async () => {
    const readers = new SlowReaders(64 * 1024, 400);
    const server = await serve((_request, response) => {
      const timer = setInterval(() => response.write(`data: ${'x'.repeat(MiB)}\n\n`), 10);
      response.once('close', () => clearInterval(timer));
    }, readers);
    const socket = client(server);
    socket.pause();
    await vi.waitFor(() => expect([readers.cut, readers.unsent]).toEqual([1, 0]), { timeout: 10_000 });
  });
});

describe('the room of large replies', () => {
  const served = async () => {
    const responses: ServerResponse[] = [];
    const server = await listening(createServer((_request, response) => void responses.push(response)));
    const next = async () => {
      const socket = client(server);
      const before = responses.length;
      await vi.waitFor(() => expect(responses.length).toBe(before + 1));
      return { socket, response: responses.at(-1) as ServerResponse };
    };
    return next;
  };

  test('is taken in order of arrival, and given back as bytes are sent and when a client leaves', async () => {
    const room = new UnsentBytes(100, 60_000);
    const next = await served();
    const [first, second, third] = [await next(), await next(), await next()];
    const sent = await room.take(first.response, 60);
    const order: string[] = [];
    const waiting = [
      room.take(second.response, 65).then(() => order.push('second')),
      room.take(third.response, 10).then(() => order.push('third')),
    ];
    await sleep(20);
    expect([room.bytes, room.waiting, order]).toEqual([60, 2, []]);
    sent(55);
    await vi.waitFor(() => expect(order).toEqual(['second']));
    first.socket.destroy();
    await Promise.all(waiting);
    expect([room.bytes, room.waiting]).toEqual([75, 0]);
  });

  test('a small reply does not wait behind large ones, which leave a part of the room', async () => {
    const room = new UnsentBytes(100, 60_000);
    const next = await served();
    const [first, second, small] = [await next(), await next(), await next()];
    await room.take(first.response, 75);
    void room.take(second.response, 20).catch(() => undefined);
    await room.take(small.response, 6);
    expect([room.bytes, room.waiting]).toEqual([81, 1]);
  });

  test('a reply larger than all the room is sent alone', async () => {
    const room = new UnsentBytes(100, 60_000);
    const next = await served();
    const { response } = await next();
    (await room.take(response, 1_000))(1_000);
    expect(room.bytes).toBe(0);
  });

  test('clients that read slowly are disconnected while others wait for their room, and only then', async () => {
    const room = new UnsentBytes(10 * MiB, 100);
    const next = await served();
    const [slow, waiting] = [await next(), await next()];
    slow.socket.pause();
    await room.take(slow.response, 10 * MiB);
    await sleep(400);
    expect([slow.response.destroyed, room.evicted]).toEqual([false, 0]);
    await room.take(waiting.response, MiB);
    expect([slow.response.destroyed, room.evicted, room.bytes]).toEqual([true, 1, MiB]);
  });

  test('a body in pieces arrives whole, in order', async () => {
    const pieces = Array.from({ length: 300 }, (_, index) => Buffer.alloc(index * 97, index));
    const server = await listening(
      createServer((_request, response) => void sendPieces(response.setHeader('Connection', 'close'), pieces)),
    );
    const { port } = server.address() as AddressInfo;
    const body = Buffer.from(await (await fetch(`http://127.0.0.1:${port}`)).arrayBuffer());
    expect(body.equals(Buffer.concat(pieces))).toBe(true);
  });
});

test('a server bounds how long idle connections, headers and requests take', () => {
  const server = createHttpServer(() => undefined);
  expect([server.keepAliveTimeout, server.headersTimeout, server.requestTimeout]).toEqual([95_000, 100_000, 900_000]);
  // An interval at which Node looks for requests that do not end.
  expect(server.timeout).toBe(0);
  server.close();
});
