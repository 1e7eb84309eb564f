import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { createHttpServer } from '../../src/server/listen.js';

let server: Server;
beforeAll(async () => {
  server = createHttpServer((_request, response) => response.end('served'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Everything that comes back for some bytes. */
const send = (bytes: string) =>
  new Promise<string>((resolve, reject) => {
    let text = '';
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1', () => socket.write(bytes, 'latin1'));
    socket
      .on('data', (chunk) => (text += chunk.toString()))
      .on('end', () => resolve(text))
      .on('error', reject);
  });

describe('bytes that are not an HTTP request', () => {
  test.each([
    ['text that is not HTTP', 'HELLO\r\n\r\n', 400],
    ['a control character in the token', 'GET / HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer a\x01b\r\n\r\n', 400],
    ['headers that are too long', `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(70_000)}\r\n\r\n`, 431],
    ['a path that is too long', `GET /${'a'.repeat(70_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
  ])('input with %s is answered as JSON, and the connection is closed', async (_name, bytes, status) => {
    const [head = '', body = ''] = (await send(bytes)).split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(head).toMatch(/\r\nX-Request-Id: [0-9a-f-]{36}\r\n/);
    expect(JSON.parse(body)).toEqual({ message: expect.any(String) });
  });

  test('other clients are served after bytes that are no HTTP request', async () => {
    expect(await send('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toContain('served');
  });
});
