import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  raw: string;
  // The type of a payload depends on its event; each test checks what it expects.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  body: any;
}

/** A receiver of webhooks on this machine: records requests and answers with `answer` (default 200). */
export class Receiver {
  readonly received: Received[] = [];
  answer: (request: Received) => number = () => 200;

  private constructor(private readonly server: Server) {}

  static async open(): Promise<Receiver> {
    const server = createServer((request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        const raw = Buffer.concat(pieces).toString('utf8');
        const received = { path: request.url ?? '', headers: request.headers, raw, body: JSON.parse(raw) as unknown };
        receiver.received.push(received);
        response.writeHead(receiver.answer(received)).end('noted');
      });
    });
    const receiver: Receiver = new Receiver(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
